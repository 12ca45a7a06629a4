-- Tests of runs against others with intervals at the level of each, and notes.
-- pairs: rows of paired
-- levels: rows of leveled
-- drawn: a row for each pair, by metric, segment, run_id and baseline, with the ends, a list, of its interval from
--     bootstrap samples; none for other intervals
-- test, alpha, intervals: as for compared
-- returns low, high, significant, detectable: as for compared
-- returns note: why not to trust the row
-- returns caution: what holds for all rows with as many queries
CREATE OR REPLACE MACRO tested(pairs, levels, drawn, test, alpha, intervals) AS TABLE
WITH _errors AS (
    SELECT
        _p.metric,
        _p.segment,
        _p.run_id,
        _p.baseline,
        margin_of_error(_p, confidence := _l.confidence) AS margin,
        detectable_difference(_p, alpha := 1e0 - _l.confidence) AS detectable
    FROM query_table(pairs) AS _p
    INNER JOIN query_table(levels) AS _l
        ON
            _p.metric = _l.metric
            AND _p.segment IS NOT DISTINCT FROM _l.segment
            AND _p.run_id = _l.run_id
            AND _p.baseline = _l.baseline
    GROUP BY _p.metric, _p.segment, _p.run_id, _p.baseline, _l.confidence
), _bounded AS (
    SELECT
        _l.* EXCLUDE (family, varies, margin),
        CASE
            WHEN _l.queries < 2 OR NOT _l.varies THEN NULL
            WHEN intervals <> 't' THEN _d.ends
            ELSE [
                _l.difference - coalesce(_l.margin, _e.margin),
                _l.difference + coalesce(_l.margin, _e.margin)
            ]
        END AS ends,
        _e.detectable + coalesce(_l.margin - _e.margin, 0e0) AS detectable,
        2e0 * power(5e-1, _l.wins + _l.losses) AS least_p
    FROM query_table(levels) AS _l
    INNER JOIN _errors AS _e
        ON
            _l.metric = _e.metric
            AND _l.segment IS NOT DISTINCT FROM _e.segment
            AND _l.run_id = _e.run_id
            AND _l.baseline = _e.baseline
    LEFT JOIN with_columns(drawn, {
        'segment': NULL,
        'ends': NULL
    }) AS _d
        ON
            _l.metric = _d.metric
            AND _l.segment IS NOT DISTINCT FROM _d.segment
            AND _l.run_id = _d.run_id
            AND _l.baseline = _d.baseline
)
SELECT
    _b.* EXCLUDE (ends, least_p) REPLACE (
        _b.significant AND NOT coalesce(_b.ends[1] <= 0 AND _b.ends[2] >= 0, FALSE) AS significant
    ),
    _b.ends[1] AS low,
    _b.ends[2] AS high,
    CASE
        WHEN _b.queries < 2 THEN 'one query; a test needs two or more'
        WHEN _b.wins + _b.losses = 0 THEN 'the same score for every query'
        WHEN _b.ends IS NULL THEN 'the same difference for every query, so no test is possible'
        WHEN _b.significant AND _b.ends[1] <= 0 AND _b.ends[2] >= 0
            THEN 'not significant, since the interval of the mean contains 0'
        WHEN test IN ('wilcoxon', 'sign', 'randomization') AND _b.least_p >= alpha
            THEN printf('only %d queries differ; p cannot be below %.3g', _b.wins + _b.losses, _b.least_p)
    END AS note,
    CASE
        WHEN _b.queries < 25 AND intervals <> 't'
            THEN
                'with fewer than 25 queries, intervals from bootstrap samples are too narrow; those of interval t are'
                || ' not'
        WHEN _b.queries < 10
            THEN
                'with fewer than 10 queries, intervals and p-values are a rough guide: they assume differences that'
                || ' are nearly normal'
        WHEN _b.queries >= 1000 AND _b.significant
            THEN concat(
                'with ', _b.queries,
                ' queries even small differences are significant; look at the difference and the effect'
            )
    END AS caution
FROM _bounded AS _b;
