-- How long pages took to load: the mean, or a percentile, in the unit of the log.
-- name: ResponseTime, ResponseTime@percentile
-- aliases: Latency
-- formula: mean, or percentile, of the response_time of each page; NULL without any
-- relation: clicked
-- percentile: between 0 and 100; which percentile, or NULL for the mean
-- range: 0 to ∞
-- better: lower
CREATE OR REPLACE MACRO response_time(j, percentile DOUBLE := NULL) AS
    percentile_or_mean(CASE WHEN j.page_rows > 0 THEN j.page_response_time END, percentile);
