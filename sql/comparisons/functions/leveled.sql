-- Tests of pairs with p corrected for their number, and the confidence of the intervals beside.
-- found: rows of pair_statistics
-- drawn: a row for each pair, by metric, segment, run_id and baseline, with p and, of the test tukey, margin, that of
--     the interval; none for tests without draws
-- test, correction, family, alpha: as for compared
-- returns p_corrected, significant, confidence: as of corrected_levels
CREATE OR REPLACE MACRO leveled(found, drawn, test, correction, family, alpha) AS TABLE
WITH _tests AS (
    SELECT
        _f.* EXCLUDE (p),
        coalesce(_d.p, _f.p) AS p,
        _d.margin,
        CASE WHEN family = 'metric' THEN _f.metric ELSE 'all' END AS family
    FROM query_table(found) AS _f
    LEFT JOIN with_columns(drawn, {
        'segment': NULL,
        'p': NULL,
        'margin': NULL
    }) AS _d
        ON
            _f.metric = _d.metric
            AND _f.segment IS NOT DISTINCT FROM _d.segment
            AND _f.run_id = _d.run_id
            AND _f.baseline = _d.baseline
)
SELECT _c.*
FROM corrected_levels(_tests, CASE WHEN test = 'tukey' THEN 'none' ELSE correction END, alpha) AS _c;
