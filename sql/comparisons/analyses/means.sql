-- The mean score of each run, with its interval.
-- scores: as for paired; scores of queries
-- alpha: between 0 and 1; intervals contain the true mean with 1 - alpha
-- refuses: unusable_scores, repeated_scores
-- returns metric, segment, run_id: one row each; segment is NULL if the scores have none
-- returns queries: number of queries
-- returns mean: the mean over these
-- returns low, high: interval of the mean, by Student's t
-- returns spread: standard deviation of the scores
-- returns note: why not to trust the interval
CREATE OR REPLACE MACRO means(scores, alpha DOUBLE := 5e-2) AS TABLE
WITH _scores AS (
    SELECT
        _s.metric,
        _s.segment,
        _s.run_id,
        _s.score,
        _s.score AS difference,
        power_of_2(max(abs(_s.score)) OVER (PARTITION BY _s.metric, _s.segment, _s.run_id)) AS scale
    FROM scored(scores) AS _s
), _means AS (
    SELECT
        _p.metric,
        _p.segment,
        _p.run_id,
        count(*) AS queries,
        avg(_p.score) AS mean,
        spread(_p) AS spread,
        varies(_p) AS varies,
        margin_of_error(_p, confidence := 1e0 - alpha) AS margin
    FROM _scores AS _p
    GROUP BY _p.metric, _p.segment, _p.run_id
)
SELECT
    _m.metric,
    _m.segment,
    _m.run_id,
    _m.queries,
    _m.mean,
    CASE WHEN _m.varies THEN _m.mean - _m.margin END AS low,
    CASE WHEN _m.varies THEN _m.mean + _m.margin END AS high,
    _m.spread,
    CASE
        WHEN _m.queries < 2 THEN 'one query; an interval needs two or more'
        WHEN NOT _m.varies THEN 'the same score for every query, so no interval is possible'
        WHEN _m.queries < 10
            THEN 'with fewer than 10 queries, the interval is a rough guide: it assumes scores that are nearly normal'
    END AS note
FROM _means AS _m
INNER JOIN metric_places(scores) AS _k ON _m.metric = _k.metric
ORDER BY _k.place ASC, _m.segment ASC NULLS LAST, _m.mean DESC, _m.run_id ASC;
