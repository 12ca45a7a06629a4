-- Queries that changed offline and online: a row for each pair of metrics, pair of runs, and query that both tables
--     have for both runs.
-- offline: as for paired: scores of queries by metrics such as nDCG
-- online: as for paired: the same runs by what users did, such as clicks per page of each query
-- baseline: as for paired
-- refuses: unusable_scores, repeated_scores, lone_metrics, unknown_baseline, unbridged_runs
-- groups: metric, online_metric, run_id, baseline
-- once: query_id
-- returns metric, online_metric, run_id, baseline, query_id: one row each
-- returns difference, online_difference: the score of the run minus that of the baseline
-- returns outcome, online_outcome: 1 if the run wins the query, 0 for a tie, -1 if it loses
-- returns scale, online_scale: as in paired
CREATE OR REPLACE MACRO bridged(offline, online, baseline := NULL) AS TABLE
SELECT
    _f.metric,
    _n.metric AS online_metric,
    _f.run_id,
    _f.baseline,
    _f.query_id,
    _f.difference,
    _n.difference AS online_difference,
    _f.outcome,
    _n.outcome AS online_outcome,
    _f.scale,
    _n.scale AS online_scale
FROM paired(offline, baseline := baseline) AS _f
INNER JOIN paired(online, baseline := baseline) AS _n
    ON _f.run_id = _n.run_id AND _f.baseline = _n.baseline AND _f.query_id = _n.query_id;
