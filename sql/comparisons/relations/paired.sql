-- Queries scored by two runs: a row for each metric, pair of runs and query.
-- scores: table or file with a row for each run, metric and query: run_id, metric, query_id, score. UNPIVOT turns a
--     table with a column for each metric into one. With a column segment, of any type, each segment is by itself
-- baseline: the run_id that the others are compared with, or NULL; NULL pairs all runs with each other, once
-- within: 0 or more; treat scores that differ by at most this as ties; by default 1e-9 of scale
-- refuses: unusable_scores, repeated_scores, lone_metrics, unknown_baseline, unpaired_queries
-- groups: metric, segment, run_id, baseline
-- once: query_id
-- returns metric, segment, run_id, baseline, query_id: one row each; segment is NULL if the scores have none
-- returns score, baseline_score: what the run and the baseline score for the query
-- returns difference: score - baseline_score
-- returns outcome: 1 if the run wins the query, 0 for a tie, -1 if it loses
-- returns scale: a power of two about as large as the largest score of the two runs; what differs by less than 1e-12 of
--     it is equal except for rounding
CREATE OR REPLACE MACRO paired(scores, baseline := NULL, within DOUBLE := NULL) AS TABLE
SELECT
    _p.metric,
    _p.segment,
    _p.run_id,
    _p.baseline,
    _p.query_id,
    _p.score,
    _p.baseline_score,
    _p.difference,
    CASE
        WHEN _p.difference > coalesce(within, 1e-9 * _p.scale) THEN 1
        WHEN _p.difference < -coalesce(within, 1e-9 * _p.scale) THEN -1
        ELSE 0
    END AS outcome,
    _p.scale
FROM (
    SELECT
        _b.metric,
        _b.segment,
        _b.run_id,
        _a.run_id AS baseline,
        _b.query_id,
        _b.score,
        _a.score AS baseline_score,
        _b.score - _a.score AS difference,
        power_of_2(max(greatest(abs(_b.score), abs(_a.score))) OVER (
            PARTITION BY _b.metric, _b.segment, _b.run_id, _a.run_id
        )) AS scale
    FROM scored(scores) AS _a
    INNER JOIN scored(scores) AS _b
        ON
            _a.metric = _b.metric
            AND _a.segment IS NOT DISTINCT FROM _b.segment
            AND _a.query_id = _b.query_id
            AND _a.run_id <> _b.run_id
    WHERE
        CASE
            WHEN baseline IS NULL THEN _a.run_id < _b.run_id
            ELSE _a.run_id = CAST(baseline AS VARCHAR)
        END
) AS _p;
