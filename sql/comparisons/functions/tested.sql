-- Tests of runs against others with intervals at the level of each, and notes.
-- levels: rows of leveled
-- drawn: a row for each pair, by metric, segment, run_id and baseline, with low and high, the ends of its interval from
--     bootstrap samples; none for other intervals
-- test, alpha, intervals: as for compared
-- returns low, high, significant, detectable: as for compared
-- returns note: why not to trust the row
-- returns caution: what holds for all rows with as many queries
CREATE OR REPLACE MACRO tested(levels, drawn, test, alpha, intervals) AS TABLE
WITH _margins AS (
    SELECT
        _q.* EXCLUDE (t, t_power, margin, error, df),
        coalesce(_q.margin, _q.t * _q.error) AS margin,
        (_q.t + _q.t_power) * _q.error + coalesce(_q.margin - _q.t * _q.error, 0e0) AS detectable
    FROM level_quantiles(levels) AS _q
), _bounded AS (
    SELECT
        _m.* EXCLUDE (family, varies, margin),
        CASE
            WHEN _m.queries < 2 OR NOT _m.varies THEN NULL
            WHEN intervals <> 't' THEN _d.low
            ELSE _m.difference - _m.margin
        END AS low,
        CASE
            WHEN _m.queries < 2 OR NOT _m.varies THEN NULL
            WHEN intervals <> 't' THEN _d.high
            ELSE _m.difference + _m.margin
        END AS high,
        2e0 * power(5e-1, _m.wins + _m.losses) AS least_p
    FROM _margins AS _m
    LEFT JOIN with_columns(drawn, {
        'segment': NULL,
        'low': NULL,
        'high': NULL
    }) AS _d
        ON
            _m.metric = _d.metric
            AND _m.segment IS NOT DISTINCT FROM _d.segment
            AND _m.run_id = _d.run_id
            AND _m.baseline = _d.baseline
)
SELECT
    _b.* EXCLUDE (low, high, least_p) REPLACE (
        _b.significant AND NOT coalesce(_b.low <= 0 AND _b.high >= 0, FALSE) AS significant
    ),
    _b.low,
    _b.high,
    CASE
        WHEN _b.queries < 2 THEN 'one query; a test needs two or more'
        WHEN _b.wins + _b.losses = 0 THEN 'the same score for every query'
        WHEN _b.low IS NULL
            THEN concat(
                'the same difference for every query, so no ',
                CASE WHEN _b.p IS NULL THEN 'test' ELSE 'interval' END, ' is possible'
            )
        WHEN _b.significant AND _b.low <= 0 AND _b.high >= 0
            THEN 'not significant, since the interval of the mean contains 0'
        WHEN test IN ('wilcoxon', 'sign', 'randomization') AND _b.least_p >= alpha
            THEN concat(
                'only ', _b.wins + _b.losses,
                CASE WHEN _b.wins + _b.losses = 1 THEN ' query differs' ELSE ' queries differ' END,
                '; p cannot be below ', three_digits(_b.least_p)
            )
    END AS note,
    joined_notes(
        CASE
            WHEN _b.queries < 25 AND intervals <> 't'
                THEN
                    'with fewer than 25 queries, intervals from bootstrap samples are too narrow; those of'
                    || ' interval t are not'
            WHEN _b.queries < 10
                THEN
                    'with fewer than 10 queries, intervals and p-values are a rough guide: they assume differences that'
                    || ' are nearly normal'
            WHEN _b.queries >= 1000 AND _b.significant
                THEN concat(
                    'with ', _b.queries,
                    ' queries even small differences are significant; look at the difference and the effect'
                )
        END,
        CASE
            WHEN _b.queries >= 10 AND _b.effective_queries < 10
                THEN concat(
                    'by their weights, these queries are as good as ', one_decimal(_b.effective_queries),
                    ' of the same weight: a rough guide'
                )
        END
    ) AS caution
FROM _bounded AS _b;
