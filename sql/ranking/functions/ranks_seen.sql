-- The same as view_probability_sum, in closed form where there is one, for a last rank that differs from row to row.
-- last, shape, x: as for view_probability_sum
CREATE OR REPLACE MACRO ranks_seen(last, shape, x) AS
    CASE
        WHEN shape = 'endless' THEN 1e0 * last
        WHEN shape = 'reciprocal' THEN harmonic_number(last)
        WHEN shape = 'squared' THEN 4e0 * x * x * inverse_squares(2e0 * x, last)
        -- nearer to 1, the difference would lose digits
        WHEN shape = 'geometric' AND x < 99e-2 THEN (1e0 - power(1e0 * x, last)) / (1e0 - x)
        ELSE view_probability_sum(last, shape, x)
    END;
