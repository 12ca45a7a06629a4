-- What each pair of runs has, as of pair_statistics, where queries may have weights.
-- pairs: rows of weighted
-- test: as for compared
-- returns metric, segment, run_id, baseline: one row each
-- returns queries, mean, baseline_mean, difference, wins, ties, losses, effect, varies: as of pair_statistics
-- returns error: the standard error of the difference; with weights HC2
-- returns df: its degrees of freedom; with weights those of as many queries as are effective
-- returns p: that of the test; with weights that of 't'
-- returns is_weighted: whether queries have weights
-- returns effective_queries: as for compared
CREATE OR REPLACE MACRO weighted_statistics(pairs, test) AS TABLE
SELECT
    _f.* REPLACE (
        CASE WHEN _w.is_weighted THEN _w.error ELSE _f.error END AS error,
        CASE WHEN _w.is_weighted THEN greatest(_w.effective_queries - 1e0, 1e0) ELSE _f.df END AS df,
        CASE
            WHEN _w.is_weighted AND _f.varies
                THEN student_p(_f.difference / _w.error, greatest(_w.effective_queries - 1e0, 1e0))
            ELSE _f.p
        END AS p
    ),
    _w.is_weighted,
    _w.effective_queries
FROM pair_statistics(pairs, test) AS _f
INNER JOIN (
    SELECT
        _p.metric,
        _p.segment,
        _p.run_id,
        _p.baseline,
        count(_p.weight) > 0 AS is_weighted,
        effective_queries(_p) AS effective_queries,
        -- HC2: a heavy query pulls the mean towards itself, so that its rest is too small
        sqrt(sum(power(_p.rest / _p.scale, 2) / nullif(1e0 - _p.share / _p.num_queries, 0)))
        * max(_p.scale) / count(*) AS error
    FROM (
        SELECT
            _q.metric,
            _q.segment,
            _q.run_id,
            _q.baseline,
            _q.scale,
            _q.weight,
            coalesce(_q.weight, 1e0) AS share,
            _q.difference
            - avg(_q.difference) OVER (PARTITION BY _q.metric, _q.segment, _q.run_id, _q.baseline) AS rest,
            count(*) OVER (PARTITION BY _q.metric, _q.segment, _q.run_id, _q.baseline) AS num_queries
        FROM query_table(pairs) AS _q
    ) AS _p
    GROUP BY _p.metric, _p.segment, _p.run_id, _p.baseline
) AS _w
    ON
        _f.metric = _w.metric
        AND _f.segment IS NOT DISTINCT FROM _w.segment
        AND _f.run_id = _w.run_id
        AND _f.baseline = _w.baseline;
