-- The mean of a run's means over several data sets.
-- scores: as for means; the column segment names the data set of the query
-- alpha: as for means
-- refuses: unusable_scores, repeated_scores
-- empty: {scores} has no query with a weight above 0
-- returns metric, run_id: one row each
-- returns segments: number of data sets
-- returns queries: number of queries with a weight above 0, of all data sets
-- returns mean: the mean of the mean scores of the data sets, which count the same
-- returns low, high: interval of the mean by Student's t, for other queries of the same data sets. The error is
--     sqrt(Σ s² / n) / m, with n queries of each of m data sets, and the degrees of freedom are Satterthwaite's
-- returns note: why not to trust the interval
-- source: Cochran 1977, Sampling Techniques, sections 5.3 and 5.4, equation 5.16
-- example: scores.csv
CREATE OR REPLACE MACRO mean_of_means(scores, alpha DOUBLE := 5e-2) AS TABLE
WITH _limits AS (
    SELECT
        _s.metric,
        CASE
            WHEN min(_s.score) < min(_s.lowest) OR max(_s.score) > max(_s.highest) THEN NULL
            ELSE 1
        END AS holds,
        min(_s.lowest) AS lowest,
        max(_s.highest) AS highest
    FROM scored(scores) AS _s
    GROUP BY _s.metric
), _segments AS (
    SELECT
        _m.metric,
        _m.run_id,
        _m.segment,
        _m.queries,
        _m.effective_queries,
        _m.mean,
        power(_m.spread / _m.scale, 2) / _m.queries AS variance,
        _m.scale,
        dense_rank() OVER (PARTITION BY _m.metric ORDER BY _m.segment ASC NULLS LAST) AS place
    FROM (
        SELECT
            _a.*,
            power_of_2(max(_a.spread) OVER (PARTITION BY _a.metric, _a.run_id)) AS scale
        FROM means(scores, alpha := alpha) AS _a
    ) AS _m
), _runs AS (
    SELECT
        _s.metric,
        _s.run_id,
        count(*) AS segments,
        CAST(sum(_s.queries) AS BIGINT) AS queries,
        min(_s.queries) AS least_queries,
        avg(_s.mean) AS mean,
        CASE WHEN min(_s.queries) > 1 AND sum(_s.variance) > 0
            THEN sqrt(sum(_s.variance)) / count(*) * max(_s.scale)
        END AS error,
        power(sum(_s.variance), 2)
        / nullif(sum(power(_s.variance, 2) / greatest(_s.effective_queries - 1e0, 1e0)), 0e0) AS df
    FROM _segments AS _s
    GROUP BY _s.metric, _s.run_id
), _margins AS (
    SELECT
        _r.*,
        CASE WHEN _r.error > 0 THEN student_quantile(alpha, _r.df) * _r.error END AS margin,
        _n.all_segments
    FROM _runs AS _r
    INNER JOIN (
        SELECT _s.metric, max(_s.place) AS all_segments
        FROM _segments AS _s
        GROUP BY _s.metric
    ) AS _n ON _r.metric = _n.metric
)
SELECT
    _m.metric,
    _m.run_id,
    _m.segments,
    _m.queries,
    _m.mean,
    CASE
        WHEN _l.holds IS NULL THEN _m.mean - _m.margin
        ELSE clipped(_m.mean - _m.margin, _l.lowest, _l.highest)
    END AS low,
    CASE
        WHEN _l.holds IS NULL THEN _m.mean + _m.margin
        ELSE clipped(_m.mean + _m.margin, _l.lowest, _l.highest)
    END AS high,
    CASE
        WHEN _m.least_queries < 2 THEN 'a data set with one query; an interval needs two or more of each'
        WHEN _m.margin IS NULL THEN 'the same score for every query of a data set, so no interval is possible'
        WHEN _m.least_queries < 10
            THEN
                'with fewer than 10 queries of a data set, the interval is a rough guide: it assumes scores that are'
                || ' nearly normal'
    END AS note
FROM _margins AS _m
INNER JOIN _limits AS _l ON _m.metric = _l.metric
INNER JOIN metric_places(scores) AS _k ON _m.metric = _k.metric
WHERE
    must_hold(
        CASE
            WHEN _m.segments < _m.all_segments
                THEN concat(
                    'run ', _m.run_id, ' has scores of ', _m.metric, ' for ', _m.segments, ' of ', _m.all_segments,
                    ' data sets; means over different data sets cannot be compared'
                )
        END
    )
ORDER BY _k.place ASC, _m.run_id ASC;
