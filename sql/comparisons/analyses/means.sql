-- The mean score of each run, with its interval.
-- scores: as for paired; scores of queries. They may have the columns weight, how much a query counts, 0 or more, and
--     lowest and highest, the limits of a metric: for nDCG 0 and 1, and NULL for none
-- alpha: between 0 and 1; intervals have a confidence of 1 - alpha
-- refuses: unusable_scores, repeated_scores
-- empty: {scores} has no query with a weight above 0
-- returns metric, segment, run_id: one row each; segment is NULL if the scores have none
-- returns queries: number of queries with a weight above 0
-- returns mean: the mean over these
-- returns effective_queries: as for compared
-- returns low, high: interval of the mean: by mean_interval between two limits, else by Student's t. A weighted mean is
--     a ratio of sums, whose error the delta method gives, with the degrees of freedom of effective_queries
-- returns spread: standard deviation of the scores; of weighted ones, of those whose plain mean has the same error
-- returns note: why not to trust the interval
-- source: for weights Kish 1965, Survey Sampling
-- example: scores.csv
CREATE OR REPLACE MACRO means(scores, alpha DOUBLE := 5e-2) AS TABLE
WITH _limited AS (
    -- scores beyond the limits are on another scale, such as nDCG in per cent
    SELECT
        _s.*,
        coalesce(min(_s.score) OVER (PARTITION BY _s.metric) >= _s.lowest, TRUE)
        AND coalesce(max(_s.score) OVER (PARTITION BY _s.metric) <= _s.highest, TRUE) AS is_within
    FROM scored(scores) AS _s
    WHERE coalesce(_s.weight, 1) <> 0
), _scores AS (
    SELECT
        _l.* REPLACE (
            CASE WHEN _l.is_within THEN _l.lowest END AS lowest,
            CASE WHEN _l.is_within THEN _l.highest END AS highest
        )
    FROM _limited AS _l
), _added AS (
    SELECT
        _s.*,
        CASE
            WHEN _s.weight IS NULL THEN _s.score
            ELSE _s.mean + _s.weight * (_s.score - _s.mean) / _s.mean_weight
        END AS added,
        coalesce(_s.weight / _s.mean_weight, 1e0) AS share
    FROM (
        SELECT
            _t.*,
            avg(_t.weight) OVER (PARTITION BY _t.metric, _t.segment, _t.run_id) AS mean_weight,
            sum(_t.weight * _t.score) OVER (PARTITION BY _t.metric, _t.segment, _t.run_id)
            / sum(_t.weight) OVER (PARTITION BY _t.metric, _t.segment, _t.run_id) AS mean
        FROM _scores AS _t
    ) AS _s
    WHERE weight_holds(_s.weight, _s.mean_weight, _s.query_id)
), _rows AS (
    SELECT
        _a.* EXCLUDE (score),
        _a.added AS score,
        _a.added AS difference,
        coalesce(_a.highest - _a.lowest < 1e300, FALSE) AS has_limits,
        power_of_2(max(abs(_a.added)) OVER (PARTITION BY _a.metric, _a.segment, _a.run_id)) AS scale
    FROM _added AS _a
)
SELECT
    _m.metric,
    _m.segment,
    _m.run_id,
    _m.queries,
    _m.effective_queries,
    _m.mean,
    _m.low,
    _m.high,
    _m.spread,
    CASE
        WHEN _m.queries < 2 THEN 'one query; an interval needs two or more'
        WHEN _m.low IS NULL THEN 'the same score for every query, so no interval is possible'
        WHEN _m.queries < 10
            THEN 'with fewer than 10 queries, the interval is a rough guide: it assumes scores that are nearly normal'
        WHEN _m.effective_queries < 10
            THEN concat(
                'by their weights, these queries are as good as ', one_decimal(_m.effective_queries),
                ' of the same weight: a rough guide'
            )
    END AS note
FROM bounded_means(_rows, alpha) AS _m
INNER JOIN metric_places(scores) AS _k ON _m.metric = _k.metric
ORDER BY _k.place ASC, _m.segment ASC NULLS LAST, _m.run_id ASC;
