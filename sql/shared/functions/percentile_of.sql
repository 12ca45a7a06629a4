-- A percentile of numbers, with linear interpolation between two of them.
-- x: the numbers; NULL is left out
-- percentile: above 0 and below 100
-- windows: sum(x * greatest(0e0, 1e0 - abs(
--     row_number() OVER (ORDER BY x ASC) - 1 - percentile / 1e2 * (count(x) OVER () - 1)
--     )))
CREATE OR REPLACE MACRO percentile_of(x, percentile) AS quantile_cont(x, percentile / 1e2);
