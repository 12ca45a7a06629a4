-- Queries that a run scores more than once by the same metric.
-- severity: error
-- remedy: keep one
-- scores: as for paired
-- returns times: how many there are
CREATE OR REPLACE MACRO repeated_scores(scores) AS TABLE
SELECT
    _s.run_id,
    _s.metric,
    _s.segment,
    _s.query_id,
    count(*) AS times,
    concat('run ', _s.run_id, ' has ', count(*), ' scores of ', _s.metric, ' for query ', _s.query_id) AS problem
FROM scored(scores) AS _s
GROUP BY _s.run_id, _s.metric, _s.segment, _s.query_id
HAVING count(*) > 1;
