-- The share of clicks after which the user stayed on the document.
-- name: LongClicks
-- aliases: SatisfiedClicks
-- formula: clicks with dwell_time >= seconds / clicks with a dwell_time; NULL without these
-- relation: clicked
-- seconds: 0 or more; the shortest time of a long click
-- range: 0 to 1
-- source: Fox et al. 2005, doi:10.1145/1059981.1059982
CREATE OR REPLACE MACRO long_clicks(j, seconds DOUBLE := 30) AS
    rate(
        count(CASE WHEN j.clicked = 1 AND j.dwell_time >= seconds THEN 1 END),
        count(CASE WHEN j.clicked = 1 THEN j.dwell_time END)
    );
