-- A percentile of numbers; without one, their mean.
-- x: the numbers; NULL is left out
-- percentile: above 0 and below 100, or NULL
-- two_sums: mean_of(x)
CREATE OR REPLACE MACRO percentile_or_mean(x, percentile) AS
    CASE WHEN percentile IS NULL THEN mean_of(x) ELSE percentile_of(x, coalesce(percentile, 50)) END;
