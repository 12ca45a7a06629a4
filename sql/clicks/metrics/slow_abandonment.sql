-- How much longer abandoned pages took to load than pages with a click: above 0, users abandon slow pages more often.
-- name: SlowAbandonment
-- formula: mean response_time of pages with results but no click - that of pages with a click; NULL without either
-- relation: clicked
-- range: -∞ to ∞
-- better: lower
CREATE OR REPLACE MACRO slow_abandonment(j) AS
    mean_of(CASE WHEN j.page_rows > 0 AND j.num_shown > 0 AND j.num_clicked = 0 THEN j.page_response_time END)
    - mean_of(CASE WHEN j.page_rows > 0 AND j.num_clicked > 0 THEN j.page_response_time END);
