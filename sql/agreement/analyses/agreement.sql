-- How far two judges agree: two people, or people and a language model.
-- first, second: as for agreed
-- resample: 'queries' or 'documents'; what is resampled; documents of the same query are seldom independent
-- rel: above 0; lowest relevance that counts as relevant, in positive_agreement
-- alpha: between 0 and 1; intervals have a confidence of 1 - alpha
-- samples: from 1 to 50000000; how many bootstrap samples are drawn
-- seed: of the random draws: the same seed gives the same samples
-- returns statistic: raw_agreement, positive_agreement, kappa (Cohen's), linear_kappa, quadratic_kappa and alpha
--     (Krippendorff's, ordinal)
-- returns value: the coefficient; NULL if it cannot be computed
-- returns low, high: its interval: percentiles of bootstrap samples, expanded for their number
-- returns documents, queries: how many both have judged
-- returns first_only, second_only: documents that only one of them has judged, which are left out
-- returns note: why there is no value or no interval
-- example: first.csv second.csv
CREATE OR REPLACE MACRO agreement(
    first,
    second,
    resample VARCHAR := 'queries',
    rel DOUBLE := 1,
    alpha DOUBLE := 5e-2,
    samples BIGINT := 2000,
    seed BIGINT := 0
) AS TABLE
WITH _agreed AS MATERIALIZED (
    SELECT
        _a.query_id,
        dense_rank() OVER (
            ORDER BY _a.query_id ASC, CASE WHEN resample = 'queries' THEN '' ELSE _a.doc_id END ASC
        ) - 1 AS unit,
        _a.a,
        _a.b,
        _a.scale
    FROM agreed(first, second) AS _a
), _sizes AS MATERIALIZED (
    SELECT
        count(*) AS documents,
        count(DISTINCT _a.query_id) AS queries,
        max(_a.scale) AS scale,
        (SELECT count(CASE WHEN _f.relevance >= 0 THEN 1 END) FROM judgments(first) AS _f) - count(*) AS first_only,
        (SELECT count(CASE WHEN _s.relevance >= 0 THEN 1 END) FROM judgments(second) AS _s) - count(*) AS second_only
    FROM _agreed AS _a
), _units AS (
    SELECT
        _a.unit,
        _a.a / _a.scale AS a,
        _a.b / _a.scale AS b,
        1e0 * count(*) AS weight
    FROM _agreed AS _a
    GROUP BY _a.unit, _a.a, _a.b, _a.scale
), _rows AS MATERIALIZED (
    SELECT
        _d.sample,
        _d.units,
        _d.a,
        _d.b,
        _d.weight AS times,
        rel / _s.scale AS rel_grade
    FROM drawn_pairs(_units, samples, seed) AS _d
    CROSS JOIN _sizes AS _s
), _grades AS (
    SELECT
        _r.sample,
        _r.units,
        _r.a AS grade,
        _r.times AS firsts,
        0e0 AS seconds,
        CASE WHEN _r.a = _r.b THEN 0e0 ELSE _r.times END AS different,
        _r.times * abs(_r.a - _r.b) AS linear,
        _r.times * power(_r.a - _r.b, 2) AS squared,
        CASE WHEN _r.a >= _r.rel_grade AND _r.b >= _r.rel_grade THEN _r.times ELSE 0e0 END AS both_relevant,
        CASE WHEN _r.a >= _r.rel_grade THEN _r.times ELSE 0e0 END
        + CASE WHEN _r.b >= _r.rel_grade THEN _r.times ELSE 0e0 END AS relevant
    FROM _rows AS _r
    UNION ALL
    SELECT
        _r.sample,
        _r.units,
        _r.b AS grade,
        0e0 AS firsts,
        _r.times AS seconds,
        0e0 AS different,
        0e0 AS linear,
        0e0 AS squared,
        0e0 AS both_relevant,
        0e0 AS relevant
    FROM _rows AS _r
), _counted AS (
    SELECT
        _g.sample,
        max(_g.units) AS units,
        _g.grade,
        sum(_g.firsts) AS firsts,
        sum(_g.seconds) AS seconds,
        sum(_g.different) AS different,
        sum(_g.linear) AS linear,
        sum(_g.squared) AS squared,
        sum(_g.both_relevant) AS both_relevant,
        sum(_g.relevant) AS relevant
    FROM _grades AS _g
    GROUP BY _g.sample, _g.grade
), _placed AS (
    SELECT
        _c.*,
        _c.grade - min(_c.grade) OVER (PARTITION BY _c.sample) AS height,
        lead(_c.grade) OVER (PARTITION BY _c.sample ORDER BY _c.grade ASC NULLS LAST) - _c.grade AS gap,
        sum(_c.firsts) OVER (PARTITION BY _c.sample) AS documents,
        sum(_c.firsts) OVER (
            PARTITION BY _c.sample ORDER BY _c.grade ASC NULLS LAST
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS firsts_up_to,
        sum(_c.seconds) OVER (
            PARTITION BY _c.sample ORDER BY _c.grade ASC NULLS LAST
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS seconds_up_to
    FROM _counted AS _c
), _seen AS MATERIALIZED (
    -- distances of the two grades of a document, and of any two, one by each judge: a gap is between two grades if one
    -- is up to it, and the other is not
    SELECT
        _p.sample,
        max(_p.units) AS units,
        sum(_p.firsts) AS documents,
        sum(_p.different) AS different,
        sum(_p.linear) AS linear,
        sum(_p.squared) AS squared,
        2e0 * sum(_p.both_relevant) AS both_relevant,
        sum(_p.relevant) AS relevant,
        power(sum(_p.firsts), 2) - sum(_p.firsts * _p.seconds) AS all_different,
        sum(_p.gap * (
            _p.firsts_up_to * (_p.documents - _p.seconds_up_to) + _p.seconds_up_to * (_p.documents - _p.firsts_up_to)
        )) AS all_linear,
        sum(_p.firsts) * sum((_p.firsts + _p.seconds) * power(_p.height, 2))
        - 2e0 * sum(_p.firsts * _p.height) * sum(_p.seconds * _p.height) AS all_squared
    FROM _placed AS _p
    GROUP BY _p.sample
), _pairs AS (
    SELECT
        _r.sample,
        _r.a,
        _r.b,
        _r.times AS weight
    FROM _rows AS _r
    UNION ALL
    SELECT
        _r.sample,
        _r.b AS a,
        _r.a AS b,
        _r.times AS weight
    FROM _rows AS _r
), _distances AS MATERIALIZED (SELECT * FROM rating_distances(_pairs)), _found AS (
    SELECT
        _s.sample,
        _s.units,
        _n.place,
        CASE _n.place
            WHEN 1 THEN 'raw_agreement'
            WHEN 2 THEN 'positive_agreement'
            WHEN 3 THEN 'kappa'
            WHEN 4 THEN 'linear_kappa'
            WHEN 5 THEN 'quadratic_kappa'
            ELSE 'alpha'
        END AS statistic,
        CASE _n.place
            WHEN 1 THEN 1e0 - _s.different / _s.documents
            WHEN 2 THEN _s.both_relevant / nullif(_s.relevant, 0)
            WHEN 3 THEN 1e0 - _s.different * _s.documents / nullif(_s.all_different, 0)
            WHEN 4 THEN 1e0 - _s.linear * _s.documents / nullif(_s.all_linear, 0)
            WHEN 5 THEN 1e0 - _s.squared * _s.documents / nullif(_s.all_squared, 0)
            ELSE 1e0 - _d.ordinal * (_d.ratings - 1)
        END AS value
    FROM _seen AS _s
    INNER JOIN _distances AS _d ON _s.sample = _d.sample
    CROSS JOIN range(1, 7) AS _n (place)
)
SELECT
    _c.statistic,
    _c.value,
    _c.low,
    _c.high,
    _s.documents,
    _s.queries,
    _s.first_only,
    _s.second_only,
    _c.note
FROM coefficient_ends(_found, resample, alpha) AS _c
CROSS JOIN _sizes AS _s
ORDER BY _c.place ASC;
