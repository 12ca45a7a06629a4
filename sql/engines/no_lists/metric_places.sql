-- The place of each metric by its name, since tables of other engines have no order.
-- scores: as for paired
-- returns metric, place: one row each
CREATE OR REPLACE MACRO metric_places(scores) AS TABLE
SELECT
    _s.metric,
    row_number() OVER (ORDER BY _s.metric ASC) AS place
FROM (SELECT DISTINCT _t.metric FROM scored(scores) AS _t) AS _s;
