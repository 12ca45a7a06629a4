-- Metrics with the scores of one run only.
-- severity: error
-- remedy: a comparison needs two runs
-- scores: as for paired
CREATE OR REPLACE MACRO lone_metrics(scores) AS TABLE
SELECT
    min(_s.run_id) AS run_id,
    _s.metric,
    _s.segment,
    concat('only run ', min(_s.run_id), ' has scores of ', _s.metric, in_segment(_s.segment)) AS problem
FROM scored(scores) AS _s
GROUP BY _s.metric, _s.segment
HAVING min(_s.run_id) = max(_s.run_id);
