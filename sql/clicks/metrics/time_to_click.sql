-- The time from a page to its earliest click, in seconds: the median over the pages with one, or another percentile.
-- name: TimeToClick, TimeToClick@percentile
-- formula: percentile of the time to the earliest click of each page; NULL without any
-- relation: clicked
-- percentile: between 0 and 100, or NULL; which percentile, or NULL for the mean
-- range: 0 to ∞
-- better: lower
CREATE OR REPLACE MACRO time_to_click(j, percentile DOUBLE := 50) AS
    percentile_or_mean(CASE WHEN j.page_rows > 0 THEN j.first_click_time END, percentile);
