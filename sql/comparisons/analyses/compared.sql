-- Runs compared query by query: differences with intervals, wins, effects and p-values.
-- scores: as for paired; scores of queries. They may have a column weight, how much a query counts, 0 or more, such as
--     how often it is asked: means and differences are then ratios of sums, with the error HC2 and as many degrees of
--     freedom as effective_queries have, by the test 't' with the intervals 't'
-- baseline: the name of a run; the others are compared with it, and without it every pair is compared
-- test: 't', 'randomization', 'wilcoxon', 'sign' or 'tukey'; the paired t-test, dependable for means; the randomization
--     test, which assumes nothing about the distribution; Wilcoxon's and the sign test, which compare ranks and wins;
--     the randomized Tukey HSD test of all runs together
-- correction: 'holm', 'bonferroni', 'bh', 'by' or 'none'; for many comparisons: the first two keep the chance of any
--     false discovery below alpha, bh and by the share of false discoveries; tukey needs none
-- family: 'metric' or 'all'; what is corrected together: the comparisons of a metric, or all
-- alpha: between 0 and 1; level of significance
-- intervals: 't', 'percentile' or 'bca'; from Student's t, or from bootstrap samples; those of tukey hold for all pairs
--     together
-- within: as for paired
-- permutations: 1 or more; how many are drawn for the tests randomization and tukey
-- samples: 1 or more; how many are drawn for the intervals percentile and bca
-- seed: of the random draws: the same seed gives the same samples
-- refuses: unknown_baseline
-- empty: {scores} has no query with a weight above 0
-- returns metric, segment, run_id, baseline: two runs; segment is NULL if the scores have none
-- returns queries: number of queries, of weighted ones of those with a weight above 0
-- returns effective_queries: how many queries of the same weight would be as good: (Σ weight)² / Σ weight²
-- returns mean, baseline_mean: the mean scores of both
-- returns difference: how much better the run is
-- returns low, high: interval of the difference
-- returns confidence: that of the interval: the level at which the correction tests the row
-- returns wins, ties, losses: number of queries that the run wins, neither, and that it loses
-- returns effect: the difference in standard deviations of the differences, with weights of what each query adds to it
-- returns p, p_corrected: p-value of the test, and corrected for the number of tests
-- returns significant: whether the corrected p is below alpha, and the interval leaves out 0
-- returns detectable: the true difference that a t-test at this level would find in four of five cases
-- returns note: why not to trust the row
-- source: for weights MacKinnon and White 1985, doi:10.1016/0304-4076(85)90158-7, and Kish 1965, Survey Sampling
-- example: scores.csv --test wilcoxon
CREATE OR REPLACE MACRO compared(
    scores, baseline VARCHAR := NULL, test VARCHAR := 't', correction VARCHAR := 'holm', family VARCHAR := 'metric',
    alpha DOUBLE := 5e-2, intervals VARCHAR := 't', within DOUBLE := NULL, permutations BIGINT := 10000,
    samples BIGINT := 2000, seed BIGINT := 0
) AS TABLE
WITH _pairs AS MATERIALIZED (
    SELECT * FROM weighted(scores, baseline, within)
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
    SELECT * FROM weighted_statistics(_pairs, test)
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
), _draws AS (
    SELECT
        _d.*,
        _m.margin
    FROM _drawn AS _d
    LEFT JOIN _margins AS _m ON _d.metric = _m.metric AND _d.segment IS NOT DISTINCT FROM _m.segment
), _levels AS MATERIALIZED (
    SELECT * FROM leveled(_found, _draws, test, correction, family, alpha)
), _resampled AS (
    SELECT
        _p.metric,
        _p.segment,
        _p.run_id,
        _p.baseline,
        CASE
            WHEN intervals = 'bca' THEN bca_interval(_p, confidence := _c.confidence)
            ELSE bootstrap_interval(_p, confidence := _c.confidence)
        END AS ends
    FROM resampled(_resampling, samples := samples, seed := seed) AS _p
    INNER JOIN _levels AS _c
        ON
            _p.metric = _c.metric
            AND _p.segment IS NOT DISTINCT FROM _c.segment
            AND _p.run_id = _c.run_id
            AND _p.baseline = _c.baseline
    GROUP BY _p.metric, _p.segment, _p.run_id, _p.baseline, _c.confidence
), _bounds AS (
    SELECT
        _r.metric,
        _r.segment,
        _r.run_id,
        _r.baseline,
        _r.ends[1] AS low,
        _r.ends[2] AS high
    FROM _resampled AS _r
)
SELECT
    _t.metric,
    _t.segment,
    _t.run_id,
    _t.baseline,
    _t.queries,
    _t.effective_queries,
    _t.mean,
    _t.baseline_mean,
    _t.difference,
    _t.low,
    _t.high,
    _t.confidence,
    _t.wins,
    _t.ties,
    _t.losses,
    _t.effect,
    _t.p,
    _t.p_corrected,
    _t.significant,
    _t.detectable,
    joined_notes(_t.note, _t.caution) AS note
FROM tested(_levels, _bounds, test, alpha, intervals) AS _t
INNER JOIN metric_places(scores) AS _k ON _t.metric = _k.metric
WHERE
    must_hold(
        CASE
            WHEN _t.is_weighted AND (test <> 't' OR intervals <> 't')
                THEN concat(
                    'with weights, test and intervals must be ''t'', not ''', test, ''' and ''', intervals, ''''
                )
            WHEN test = 'tukey' AND intervals <> 't'
                THEN concat(
                    'intervals cannot be ''', intervals,
                    ''' with the test ''tukey'', whose own intervals hold for all pairs together'
                )
        END
    )
ORDER BY _k.place ASC, _t.segment ASC NULLS LAST, _t.baseline ASC, _t.run_id ASC;
