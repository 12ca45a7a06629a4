-- Queries for which some runs have a score and others do not.
-- severity: error
-- remedy: keep the queries that all runs have
-- scores: as for paired
-- returns run_id, other_run_id: a run with the query, and one without it
CREATE OR REPLACE MACRO unpaired_queries(scores) AS TABLE
SELECT
    _m.metric,
    _m.segment,
    _m.query_id,
    min(CASE WHEN _s.run_id IS NOT NULL THEN _m.run_id END) AS run_id,
    min(CASE WHEN _s.run_id IS NULL THEN _m.run_id END) AS other_run_id,
    concat(
        'query ', _m.query_id, ' has a score of ', _m.metric, in_segment(_m.segment),
        ' for run ', min(CASE WHEN _s.run_id IS NOT NULL THEN _m.run_id END),
        ' but not for run ', min(CASE WHEN _s.run_id IS NULL THEN _m.run_id END)
    ) AS problem
FROM (
    SELECT _r.metric, _r.segment, _r.run_id, _q.query_id
    FROM (SELECT DISTINCT _x.metric, _x.segment, _x.run_id FROM scored(scores) AS _x) AS _r
    INNER JOIN (SELECT DISTINCT _x.metric, _x.segment, _x.query_id FROM scored(scores) AS _x) AS _q
        ON _r.metric = _q.metric AND _r.segment IS NOT DISTINCT FROM _q.segment
) AS _m
LEFT JOIN scored(scores) AS _s
    ON
        _m.metric = _s.metric
        AND _m.segment IS NOT DISTINCT FROM _s.segment
        AND _m.run_id = _s.run_id
        AND _m.query_id = _s.query_id
GROUP BY _m.metric, _m.segment, _m.query_id
HAVING count(_s.run_id) < count(*);
