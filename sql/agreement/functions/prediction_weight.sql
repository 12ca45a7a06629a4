-- How much the automatic scores count in an estimate: the less they follow people's scores, the less they count.
-- s: rows of estimated
CREATE OR REPLACE MACRO prediction_weight(s) AS
    greatest(0e0, least(1e0, coalesce(
        covariance_of(s.human / s.scale, CASE WHEN s.human IS NOT NULL THEN s.automatic / s.scale END)
        / nullif(variance_of(s.automatic / s.scale), 0),
        0e0
    )));
