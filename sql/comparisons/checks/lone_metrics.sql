-- Metrics with the scores of one run only.
-- severity: error
-- says: only run {run_id} has scores of {metric}
-- remedy: a comparison needs two runs
-- scores: as for paired
CREATE OR REPLACE MACRO lone_metrics(scores) AS TABLE
SELECT
    min(_s.run_id) AS run_id,
    _s.metric
FROM scored(scores) AS _s
GROUP BY _s.metric
HAVING min(_s.run_id) = max(_s.run_id);
