-- What each pair of runs has, and p by tests that need no draws.
-- pairs: rows of paired
-- test: as for compared
-- returns metric, segment, run_id, baseline: one row each
-- returns queries, mean, baseline_mean, difference, wins, ties, losses, effect: as for compared
-- returns error: the standard error of the difference
-- returns df: its degrees of freedom
-- returns varies: whether the differences do
-- returns p: that of 't', 'wilcoxon' and 'sign'; else NULL
CREATE OR REPLACE MACRO pair_statistics(pairs, test) AS TABLE
WITH _ranking AS (
    SELECT * FROM query_table(pairs)
    WHERE test = 'wilcoxon'
), _found AS (
    SELECT
        _p.metric,
        _p.segment,
        _p.run_id,
        _p.baseline,
        count(*) AS queries,
        avg(_p.score) AS mean,
        avg(_p.baseline_score) AS baseline_mean,
        mean_difference(_p) AS difference,
        wins(_p) AS wins,
        ties(_p) AS ties,
        losses(_p) AS losses,
        cohen_dz(_p) AS effect,
        standard_error(_p) AS error,
        count(*) - 1e0 AS df,
        varies(_p) AS varies,
        CASE test WHEN 't' THEN paired_t(_p) WHEN 'sign' THEN sign_test(_p) END AS p
    FROM query_table(pairs) AS _p
    GROUP BY _p.metric, _p.segment, _p.run_id, _p.baseline
)
SELECT _f.* REPLACE (coalesce(_w.p, _f.p) AS p)
FROM _found AS _f
LEFT JOIN rank_tested(_ranking) AS _w
    ON
        _f.metric = _w.metric
        AND _f.segment IS NOT DISTINCT FROM _w.segment
        AND _f.run_id = _w.run_id
        AND _f.baseline = _w.baseline;
