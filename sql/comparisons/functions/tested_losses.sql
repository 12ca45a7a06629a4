-- Losses of a run against the largest that are allowed: intervals, p-values and whether it passes.
-- pairs: rows of weighted
-- limits: a row for each metric: metric, number, the largest loss, share, that of the baseline's mean which may be lost
--     besides, and lowest and highest, the limits of its scores
-- correction: as for corrected_levels; of the failures for their number
-- alpha: how often a larger loss may pass, and a smaller one fail
-- returns metric, segment: one row each
-- returns queries, effective_queries, baseline_mean, wins, ties, losses: as for compared
-- returns value: the mean difference
-- returns varies: whether the differences do
-- returns limit: the lowest difference that is allowed
-- returns low, high: interval of the difference with 1 - 2 * alpha confidence; NULL where the differences do not vary
-- returns detectable: the loss that as many queries find four times out of five
-- returns p_pass, p_fail: p-value of a larger loss, and of a smaller one
-- returns status: 'passed', 'failed' or 'unsure'
CREATE OR REPLACE MACRO tested_losses(pairs, limits, correction, alpha) AS TABLE
WITH _rows AS (
    SELECT
        _p.*,
        _l.number,
        _l.share,
        _l.highest - _l.lowest AS widest,
        -- the spread of the baseline counts, too, where a share of it may be lost
        _p.score - (1e0 - _l.share) * _p.baseline_score AS kept
    FROM query_table(pairs) AS _p
    INNER JOIN query_table(limits) AS _l ON _p.metric = _l.metric
), _kept AS (
    SELECT _r.* REPLACE (_r.kept AS difference) FROM _rows AS _r
), _found AS (
    SELECT
        _r.metric,
        _r.segment,
        count(*) AS queries,
        avg(_r.baseline_score) AS baseline_mean,
        mean_difference(_r) AS value,
        wins(_r) AS wins,
        ties(_r) AS ties,
        losses(_r) AS losses,
        count(*) > 1 AND varies(_r) AS varies,
        -(_r.number + _r.share * avg(_r.baseline_score)) AS "limit", -- noqa: RF06
        -- beyond the last digits of a difference that is the limit
        mean_difference(_r) + _r.number + _r.share * avg(_r.baseline_score) < -1e-12 * max(_r.scale) AS is_beyond,
        _r.widest,
        _r.number,
        max(abs(_r.kept + _r.number)) <= 1e-12 * max(_r.scale) AS is_at_limit
    FROM _rows AS _r
    GROUP BY _r.metric, _r.segment, _r.number, _r.share, _r.widest
), _quantiles AS (
    SELECT
        _f.* EXCLUDE (number),
        _k.effective_queries,
        _k.error,
        _k.difference + _f.number AS spare,
        _k.varies AS is_spread,
        -- the quantiles of margin_of_error and detectable_difference, at once
        CASE
            WHEN _f.queries > 1 AND _k.varies
                THEN list_transform([2e0 * alpha, 2e0 * (1e0 - 8e-1)], lambda a: student_quantile(a, _k.df))
        END AS t,
        CASE
            WHEN _f.queries > 1 AND _k.varies THEN student_p((_k.difference + _f.number) / _k.error, _k.df)
        END AS p_both
    FROM _found AS _f
    INNER JOIN weighted_statistics(_kept, 't') AS _k
        ON _f.metric = _k.metric AND _f.segment IS NOT DISTINCT FROM _k.segment
), _compared AS (
    SELECT
        _q.*,
        CASE WHEN _q.is_spread THEN _q.t[1] * _q.error WHEN _q.queries > 1 THEN 0e0 END AS margin,
        (_q.t[1] + _q.t[2]) * _q.error AS loss,
        CASE
            WHEN _q.is_spread THEN CASE WHEN _q.spare > 0 THEN _q.p_both / 2e0 ELSE 1e0 - _q.p_both / 2e0 END
            WHEN _q.is_at_limit THEN 1e0
        END AS p_greater,
        CASE
            WHEN _q.is_spread THEN CASE WHEN _q.spare > 0 THEN 1e0 - _q.p_both / 2e0 ELSE _q.p_both / 2e0 END
            WHEN _q.is_at_limit THEN 1e0
        END AS p_less
    FROM _quantiles AS _q
), _tests AS (
    SELECT
        _f.* EXCLUDE (
            widest, error, spare, is_spread, is_at_limit, is_beyond, t, p_both, margin, loss, p_greater, p_less
        ),
        CASE WHEN _f.varies THEN greatest(_f.value - _f.margin, -_f.widest) END AS low,
        CASE WHEN _f.varies THEN least(_f.value + _f.margin, _f.widest) END AS high,
        CASE WHEN _f.varies THEN _f.loss END AS detectable,
        CASE WHEN _f.varies THEN _f.p_greater WHEN _f.is_beyond THEN 1e0 ELSE 0e0 END AS p_pass,
        CASE WHEN _f.varies THEN _f.p_less WHEN _f.is_beyond THEN 0e0 ELSE 1e0 END AS p,
        'all' AS family
    FROM _compared AS _f
)
SELECT
    _c.* EXCLUDE (p, p_corrected, significant, confidence, family),
    _c.p AS p_fail,
    CASE WHEN _c.p_pass <= alpha THEN 'passed' WHEN _c.significant THEN 'failed' ELSE 'unsure' END AS status
FROM corrected_levels(_tests, correction, alpha) AS _c;
