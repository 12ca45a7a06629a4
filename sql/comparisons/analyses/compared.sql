-- Runs compared query by query: differences with intervals, wins, effects and p-values.
-- scores: as for paired; scores of queries
-- baseline: the name of a run; the others are compared with it, and without it every pair is compared
-- test: 't', 'randomization', 'wilcoxon', 'sign' or 'tukey'; the paired t-test, dependable for means; the randomization
--     test, which assumes nothing about the distribution; Wilcoxon's and the sign test, which are not about means; the
--     randomized Tukey HSD test of all runs together
-- correction: 'holm', 'bonferroni', 'bh', 'by' or 'none'; for many comparisons: the first two keep the chance of any
--     false discovery below alpha, bh and by their share; tukey needs none
-- family: 'metric' or 'all'; what is corrected together: the comparisons of a metric, or all
-- alpha: between 0 and 1; level of significance
-- intervals: 't', 'percentile' or 'bca'; from Student's t, or from bootstrap samples; those of tukey hold for all pairs
--     together
-- within: as for paired
-- permutations: 1 or more; how many are drawn for the tests randomization and tukey
-- samples: 1 or more; how many are drawn for the intervals percentile and bca
-- seed: each draws otherwise, but always the same
-- returns metric, segment, run_id, baseline: two runs; segment is NULL if the scores have none
-- returns queries: number of queries
-- returns mean, baseline_mean: the mean scores of both
-- returns difference: how much better the run is
-- returns low, high: interval of the difference
-- returns confidence: that of the interval: the level at which the correction tests the row
-- returns wins, ties, losses: number of queries that the run wins, neither, and that it loses
-- returns effect: the difference in standard deviations of the differences
-- returns p, p_corrected: p-value of the test, and corrected for the number of tests
-- returns significant: whether the corrected p is below alpha, and the interval leaves out 0
-- returns detectable: the true difference that a t-test at this level would find in four of five cases
-- returns note: why not to trust the row
CREATE OR REPLACE MACRO compared(
    scores, baseline VARCHAR := NULL, test VARCHAR := 't', correction VARCHAR := 'holm', family VARCHAR := 'metric',
    alpha DOUBLE := 5e-2, intervals VARCHAR := 't', within DOUBLE := NULL, permutations BIGINT := 10000,
    samples BIGINT := 2000, seed BIGINT := 0
) AS TABLE
WITH _pairs AS MATERIALIZED (
    SELECT * FROM paired(scores, baseline := baseline, within := within)
), _flipping AS (
    SELECT * FROM _pairs
WHERE test = 'randomization'
), _permuting AS (
    SELECT * FROM scored(scores)
WHERE test = 'tukey'
), _resampling AS (
    SELECT * FROM _pairs
WHERE intervals <> 't'
), _found AS MATERIALIZED (
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
        varies(_p) AS varies,
        CASE test WHEN 't' THEN paired_t(_p) WHEN 'wilcoxon' THEN wilcoxon(_p) WHEN 'sign' THEN sign_test(_p) END AS p
    FROM _pairs AS _p
    GROUP BY _p.metric, _p.segment, _p.run_id, _p.baseline
), _permuted AS MATERIALIZED (
    SELECT * FROM permuted(_permuting, permutations := permutations, seed := seed)
), _drawn AS (
    SELECT _p.metric, _p.segment, _p.run_id, _p.baseline, randomization(_p) AS p
    FROM flipped(_flipping, permutations := permutations, seed := seed) AS _p
    GROUP BY _p.metric, _p.segment, _p.run_id, _p.baseline
    UNION ALL
    SELECT _p.metric, _p.segment, _f.run_id, _f.baseline, tukey(_p, difference := _f.difference) AS p
    FROM _permuted AS _p
    INNER JOIN _found AS _f ON _p.metric = _f.metric AND _p.segment IS NOT DISTINCT FROM _f.segment
    GROUP BY _p.metric, _p.segment, _f.run_id, _f.baseline, _f.difference
), _margins AS (
    SELECT _p.metric, _p.segment, tukey_margin(_p, confidence := 1e0 - alpha) AS margin
    FROM _permuted AS _p
    GROUP BY _p.metric, _p.segment
), _tests AS (
    SELECT
        _f.* EXCLUDE (p),
        coalesce(_d.p, _f.p) AS p,
        CASE WHEN family = 'metric' THEN _f.metric ELSE 'all' END AS family
    FROM _found AS _f
    LEFT JOIN _drawn AS _d
        ON
            _f.metric = _d.metric
            AND _f.segment IS NOT DISTINCT FROM _d.segment
            AND _f.run_id = _d.run_id
            AND _f.baseline = _d.baseline
), _levels AS MATERIALIZED (
    SELECT _c.*
    FROM corrected_levels(_tests, CASE WHEN test = 'tukey' THEN 'none' ELSE correction END, alpha) AS _c
), _errors AS (
    SELECT
        _p.metric,
        _p.segment,
        _p.run_id,
        _p.baseline,
        margin_of_error(_p, confidence := _l.confidence) AS margin,
        detectable_difference(_p, alpha := 1e0 - _l.confidence) AS detectable
    FROM _pairs AS _p
    INNER JOIN _levels AS _l
        ON
            _p.metric = _l.metric
            AND _p.segment IS NOT DISTINCT FROM _l.segment
            AND _p.run_id = _l.run_id
            AND _p.baseline = _l.baseline
    GROUP BY _p.metric, _p.segment, _p.run_id, _p.baseline, _l.confidence
), _resampled AS (
    SELECT
        _p.metric,
        _p.segment,
        _p.run_id,
        _p.baseline,
        CASE
            WHEN intervals = 'bca' THEN bca_interval(_p, confidence := _l.confidence)
            ELSE bootstrap_interval(_p, confidence := _l.confidence)
        END AS ends
    FROM resampled(_resampling, samples := samples, seed := seed) AS _p
    INNER JOIN _levels AS _l
        ON
            _p.metric = _l.metric
            AND _p.segment IS NOT DISTINCT FROM _l.segment
            AND _p.run_id = _l.run_id
            AND _p.baseline = _l.baseline
    GROUP BY _p.metric, _p.segment, _p.run_id, _p.baseline, _l.confidence
), _bounded AS (
    SELECT
        _l.*,
        CASE
            WHEN _l.queries < 2 OR NOT _l.varies THEN NULL
            WHEN intervals <> 't' THEN [_r.ends[1], _r.ends[2]]
            WHEN test = 'tukey' THEN [_l.difference - _m.margin, _l.difference + _m.margin]
            ELSE [_l.difference - _e.margin, _l.difference + _e.margin]
        END AS ends,
        CASE WHEN test = 'tukey' THEN _e.detectable + (_m.margin - _e.margin) ELSE _e.detectable END AS detectable
    FROM _levels AS _l
    INNER JOIN _errors AS _e
        ON
            _l.metric = _e.metric
            AND _l.segment IS NOT DISTINCT FROM _e.segment
            AND _l.run_id = _e.run_id
            AND _l.baseline = _e.baseline
    LEFT JOIN _margins AS _m ON _l.metric = _m.metric AND _l.segment IS NOT DISTINCT FROM _m.segment
    LEFT JOIN _resampled AS _r
        ON
            _l.metric = _r.metric
            AND _l.segment IS NOT DISTINCT FROM _r.segment
            AND _l.run_id = _r.run_id
            AND _l.baseline = _r.baseline
)
SELECT
    _b.metric,
    _b.segment,
    _b.run_id,
    _b.baseline,
    _b.queries,
    _b.mean,
    _b.baseline_mean,
    _b.difference,
    _b.ends[1] AS low,
    _b.ends[2] AS high,
    _b.confidence,
    _b.wins,
    _b.ties,
    _b.losses,
    _b.effect,
    _b.p,
    _b.p_corrected,
    _b.significant AND NOT coalesce(_b.ends[1] <= 0 AND _b.ends[2] >= 0, FALSE) AS significant,
    _b.detectable,
    nullif(concat_ws(
        '; ',
        CASE
            WHEN _b.queries < 2 THEN 'one query; a test needs two or more'
            WHEN _b.wins + _b.losses = 0 THEN 'the same score for every query'
            WHEN _b.ends[1] IS NULL THEN 'the same difference for every query, so no test is possible'
            WHEN _b.significant AND _b.ends[1] <= 0 AND _b.ends[2] >= 0
                THEN 'not significant, since the interval of the mean contains 0'
            WHEN test IN ('wilcoxon', 'sign', 'randomization') AND 2e0 * power(5e-1, _b.wins + _b.losses) >= alpha
                THEN printf(
                    'only %d queries differ; p cannot be below %.3g',
                    _b.wins + _b.losses,
                    2e0 * power(5e-1, _b.wins + _b.losses)
                )
        END,
        CASE
            WHEN _b.queries < 25 AND intervals <> 't'
                THEN 'with fewer than 25 queries, intervals from bootstrap samples are too narrow; those by t are not'
            WHEN _b.queries < 10
                THEN
                    'with fewer than 10 queries, intervals and p-values are a rough guide: they assume differences that'
                    || ' are nearly normal'
            WHEN _b.queries >= 1000 AND _b.significant
                THEN concat(
                    'with ', _b.queries,
                    ' queries even small differences are significant; look at the difference and the effect'
                )
        END
    ), '') AS note
FROM _bounded AS _b
INNER JOIN metric_places(scores) AS _k ON _b.metric = _k.metric
WHERE
    must_hold(
        CASE
            WHEN test = 'tukey' AND intervals <> 't'
                THEN concat(
                    'intervals cannot be ''', intervals,
                    ''' with the test ''tukey'', whose own intervals hold for all pairs together'
                )
        END
    )
ORDER BY _k.place ASC, _b.segment ASC NULLS LAST, _b.baseline ASC, _b.mean DESC, _b.run_id ASC;
