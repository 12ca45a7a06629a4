-- The place of each metric in the order in which scores have them.
-- scores: as for paired
-- returns metric, place: one row each
CREATE OR REPLACE MACRO metric_places(scores) AS TABLE
SELECT
    _s.metric,
    min(_s.place) AS place
FROM (SELECT _t.metric, row_number() OVER () AS place FROM scored(scores) AS _t) AS _s
GROUP BY _s.metric;
