-- Whether scores predict which queries to decline (nAUC).
-- scores: as for paired; scores of queries
-- run: as for judged; the same runs
-- empty: {scores} and {run} have no query of a run in common
-- returns run_id, metric: the run, and the metric of its scores
-- returns confidence: what stands for the run's confidence in a query: the highest of its scores, their spread
--     (standard deviation), or the gap between the best two
-- returns queries: how many the run answers
-- returns nauc: the area under the mean score while the queries with the least confidence are dropped, 10% at a
--     time: 1 if dropping the lowest scores could do no better, 0 if it is as good as chance, below 0 if worse; NULL
--     where all queries score the same, or the run has no scores but ranks
-- source: Gisserot-Boukhlef et al. 2024, arXiv:2402.12997; mteb calls the confidences max, std and diff1
-- example: scores.csv run.csv
CREATE OR REPLACE MACRO nauc(scores, run) AS TABLE
WITH _sure AS MATERIALIZED (SELECT * FROM confidences(run)),
_highest AS (SELECT _s.run_id, _s.query_id, _s.highest AS confidence FROM _sure AS _s),
_spread AS (
    SELECT
        _s.run_id,
        _s.query_id,
        -- those that are equal except for rounding are tied
        in_decimals(_s.spread / power_of_2(max(_s.spread) OVER (PARTITION BY _s.run_id)), 12) AS confidence
    FROM _sure AS _s
),
_gap AS (
    SELECT
        _s.run_id,
        _s.query_id,
        in_decimals(_s.gap / power_of_2(max(_s.gap) OVER (PARTITION BY _s.run_id)), 12) AS confidence
    FROM _sure AS _s
)
SELECT
    _n.run_id,
    _n.metric,
    _n.confidence,
    _n.queries,
    CASE WHEN _u.is_scored = 1 THEN floor(_n.nauc * 1e12 + 5e-1) / 1e12 END AS nauc -- the last digits of 0 are rounding
FROM (
    SELECT
        _p.run_id, _p.metric, 'highest' AS confidence, 1 AS place, count(*) AS queries, abstention_auc(_p) AS nauc
    FROM abstained(scores, _highest) AS _p
    GROUP BY _p.run_id, _p.metric
    UNION ALL
    SELECT _p.run_id, _p.metric, 'spread' AS confidence, 2 AS place, count(*) AS queries, abstention_auc(_p) AS nauc
    FROM abstained(scores, _spread) AS _p
    GROUP BY _p.run_id, _p.metric
    UNION ALL
    SELECT _p.run_id, _p.metric, 'gap' AS confidence, 3 AS place, count(*) AS queries, abstention_auc(_p) AS nauc
    FROM abstained(scores, _gap) AS _p
    GROUP BY _p.run_id, _p.metric
) AS _n
INNER JOIN metric_places(scores) AS _m ON _n.metric = _m.metric
INNER JOIN (
    SELECT _s.run_id, max(_s.is_scored) AS is_scored FROM _sure AS _s
    GROUP BY _s.run_id
) AS _u ON _n.run_id = _u.run_id
ORDER BY _n.run_id ASC, _m.place ASC, _n.place ASC;
