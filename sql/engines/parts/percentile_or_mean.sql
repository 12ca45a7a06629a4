-- A mean of numbers, as its two parts. A percentile has none.
-- x: the numbers; NULL is left out
-- percentile: NULL
CREATE OR REPLACE MACRO percentile_or_mean(x, percentile) AS mean_of(x);
