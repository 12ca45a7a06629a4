-- The mean score of each run, with its interval.
-- scores: as for paired; scores of queries. They may have the columns weight, how much a query counts, 0 or more, and
--     lowest and highest, the limits of a metric: for nDCG 0 and 1
-- alpha: between 0 and 1; intervals contain the true mean with 1 - alpha
-- refuses: unusable_scores, repeated_scores
-- returns metric, segment, run_id: one row each; segment is NULL if the scores have none
-- returns queries: number of queries with a weight above 0
-- returns mean: the mean over these
-- returns low, high: interval of the mean: by mean_interval between two limits, else by Student's t. A weighted mean is
--     a ratio of sums, whose error the delta method gives
-- returns spread: standard deviation of the scores; of weighted ones, of those whose plain mean has the same error
-- returns note: why not to trust the interval
CREATE OR REPLACE MACRO means(scores, alpha DOUBLE := 5e-2) AS TABLE
WITH _scores AS (
    -- scores beyond the limits are on another scale, such as nDCG in per cent
    SELECT
        _s.*,
        CASE
            WHEN
                min(_s.score) OVER _of_metric >= _s.lowest
                AND max(_s.score) OVER _of_metric <= _s.highest
                THEN [_s.lowest, _s.highest]
            ELSE [-CAST('inf' AS DOUBLE), CAST('inf' AS DOUBLE)]
        END AS limits
    FROM scored(scores) AS _s
    WHERE weight_holds(_s.weight, _s.query_id) AND _s.weight IS DISTINCT FROM 0
    WINDOW _of_metric AS (PARTITION BY _s.metric)
), _added AS (
    SELECT
        _s.*,
        CASE
            WHEN _s.weight IS NULL THEN _s.score
            ELSE _s.mean + _s.weight * (_s.score - _s.mean) / _s.mean_weight
        END AS added
    FROM (
        SELECT
            _t.*,
            avg(_t.weight) OVER _of_run AS mean_weight,
            sum(_t.weight * _t.score) OVER _of_run / sum(_t.weight) OVER _of_run AS mean
        FROM _scores AS _t
        WINDOW _of_run AS (PARTITION BY _t.metric, _t.segment, _t.run_id)
    ) AS _s
), _rows AS (
    SELECT
        _a.* EXCLUDE (score),
        _a.added AS score,
        _a.added AS difference,
        -- DuckDB 1.5 refuses the variance of NaN, also where it is not used
        CASE WHEN isfinite(_a.limits[1]) AND isfinite(_a.limits[2]) THEN _a.limits ELSE [0e0, 1e0] END AS finite,
        power_of_2(max(abs(_a.added)) OVER (PARTITION BY _a.metric, _a.segment, _a.run_id)) AS scale
    FROM _added AS _a
), _means AS (
    SELECT
        _p.metric,
        _p.segment,
        _p.run_id,
        count(*) AS queries,
        avg(_p.score) AS mean,
        spread(_p) AS spread,
        CASE
            WHEN isfinite(_p.limits[1]) AND isfinite(_p.limits[2])
                THEN mean_interval(_p, _p.finite[1], _p.finite[2], confidence := 1e0 - alpha)
            WHEN varies(_p)
                THEN [
                    greatest(avg(_p.score) - margin_of_error(_p, confidence := 1e0 - alpha), _p.limits[1]),
                    least(avg(_p.score) + margin_of_error(_p, confidence := 1e0 - alpha), _p.limits[2])
                ]
        END AS ends
    FROM _rows AS _p
    GROUP BY _p.metric, _p.segment, _p.run_id, _p.limits, _p.finite
)
SELECT
    _m.metric,
    _m.segment,
    _m.run_id,
    _m.queries,
    _m.mean,
    _m.ends[1] AS low,
    _m.ends[2] AS high,
    _m.spread,
    CASE
        WHEN _m.queries < 2 THEN 'one query; an interval needs two or more'
        WHEN _m.ends IS NULL THEN 'the same score for every query, so no interval is possible'
        WHEN _m.queries < 10
            THEN 'with fewer than 10 queries, the interval is a rough guide: it assumes scores that are nearly normal'
    END AS note
FROM _means AS _m
INNER JOIN metric_places(scores) AS _k ON _m.metric = _k.metric
ORDER BY _k.place ASC, _m.segment ASC NULLS LAST, _m.mean DESC, _m.run_id ASC;
