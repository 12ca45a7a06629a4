-- A percentile of numbers, with linear interpolation between two of them.
-- x: the numbers; NULL is left out
-- percentile: above 0 and below 100
CREATE OR REPLACE MACRO percentile_of(x, percentile) AS quantile_cont(x, percentile / 1e2);
