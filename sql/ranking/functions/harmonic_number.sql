-- The sum of 1 / i for i = 1, 2, …, last.
-- last: whole number, 1 or more
CREATE OR REPLACE MACRO harmonic_number(last) AS
    CASE
        WHEN last < 20
            THEN list_sum(list_transform(range(1, 20), lambda _i: CASE WHEN _i <= last THEN 1e0 / _i ELSE 0e0 END))
        -- by the formula of Euler and Maclaurin, with Euler's constant
        ELSE ln(1e0 * last) + 0.5772156649015329e0 + 1e0 / (2 * last)
            - power(1e0 * last, -2) / 12 + power(1e0 * last, -4) / 120 - power(1e0 * last, -6) / 252
            + power(1e0 * last, -8) / 240
    END;
