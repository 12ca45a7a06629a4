-- The skewness of numbers, corrected for their number; NULL for fewer than 3.
-- x: the numbers
-- no_lists: sqrt(count(x) * (count(x) - 1e0)) / nullif(count(x) - 2e0, 0)
--     * (avg(x * x * x) - 3e0 * avg(x) * avg(x * x) + 2e0 * avg(x) * avg(x) * avg(x))
--     / nullif(power(CASE WHEN avg(x * x) > avg(x) * avg(x) THEN avg(x * x) - avg(x) * avg(x) ELSE 0e0 END, 1.5e0), 0)
CREATE OR REPLACE MACRO skewness_of(x) AS skewness(x);
