-- Queries that a run scores more than once by the same metric.
-- severity: error
-- says: run {run_id} has {times} scores of {metric} for query {query_id}
-- remedy: keep one
-- scores: as for paired
-- returns times: how many there are
CREATE OR REPLACE MACRO repeated_scores(scores) AS TABLE
SELECT
    _s.run_id,
    _s.metric,
    _s.query_id,
    count(*) AS times
FROM scored(scores) AS _s
GROUP BY _s.run_id, _s.metric, _s.query_id
HAVING count(*) > 1;
