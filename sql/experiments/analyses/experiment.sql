-- An A/B test: differences of variants from the control, with intervals, p-values and the check of the split.
-- users: as for arms; a column before (and before_denominator), what the numerator was before the experiment, makes
--     intervals narrower (CUPED)
-- control: the name of a variant; the others are compared with it, by default the one called control, or else the first
--     by name
-- shares: {variant: share, …}; planned shares of the users, such as 0.9 and 0.1, or 9 and 1; equal ones by default
-- cuped: whether to adjust for the values before the experiment (CUPED), by default if they are there
-- alternative: 'two-sided', 'greater' or 'less'; whether a variant may be better or worse, only better, only worse
-- correction: 'holm', 'bonferroni', 'bh', 'by' or 'none'; of the p-values of all metrics, segments and variants
--     together: Holm's and Bonferroni's keep the chance of any false discovery below alpha, bh and by the share of
--     false discoveries
-- alpha: between 0 and 1; level of significance; for one-sided tests below 0.5
-- anytime: 2 or more, or NULL; for looks before the end: the planned number of users of a variant and the control
--     together, fixed before the first look. Intervals and p-values then hold at every look, and are tightest there
-- refuses: wide_alpha
-- returns metric, segment, variant, control: one row each
-- returns users, control_users: numbers of users
-- returns mean, control_mean: means or, with denominators, ratios of sums
-- returns difference: mean - control_mean
-- returns low, high: interval of the difference: it excludes 0 exactly where the difference is significant;
--     within -1 and 1 where the values of all users are shares
-- returns relative: difference as a share of the control's mean
-- returns relative_low, relative_high: interval of relative (Fieller's), which leaves out 0 where the other does
-- returns confidence: of both intervals: 1 - alpha, or closer to 1 the more p was corrected
-- returns p: p-value of Welch's test or, with anytime, of the confidence sequence
-- returns p_corrected: p, corrected
-- returns significant: whether p_corrected is below alpha
-- returns p_split: p-value of the sample ratio check, the numbers of users against the planned shares
-- returns note: why not to trust the row
-- source: Welch 1947, doi:10.1093/biomet/34.1-2.28; Deng, Knoblich and Lu 2018, doi:10.1145/3219819.3219919; Kohavi,
--     Tang and Xu 2020, Trustworthy Online Controlled Experiments; for anytime Waudby-Smith et al. 2024,
--     arXiv:2103.06476, theorem 2.2
-- example: users.csv --control A
CREATE OR REPLACE MACRO experiment(
    users,
    control VARCHAR := NULL,
    shares MAP (VARCHAR, DOUBLE) := NULL,
    cuped BOOLEAN := NULL,
    alternative VARCHAR := 'two-sided',
    correction VARCHAR := 'holm',
    alpha DOUBLE := 5e-2,
    anytime BIGINT := NULL
) AS TABLE
WITH _plain AS (
    SELECT _u.* FROM assigned(users) AS _u
    WHERE NOT coalesce(cuped, _u.has_before)
), _earlier AS (
    SELECT _u.* FROM assigned(users) AS _u
    WHERE coalesce(cuped, _u.has_before)
), _arms AS MATERIALIZED (
    SELECT * FROM arms(_plain, control := control)
    UNION ALL
    SELECT * FROM adjusted(_earlier, control := control)
), _metrics AS (
    SELECT
        _u.metric,
        min(_k.place) AS place,
        min(CASE WHEN _u.numerator BETWEEN 0 AND _u.denominator THEN 1 ELSE 0 END) = 1 AS is_share
    FROM assigned(users) AS _u
    INNER JOIN measured_places(users) AS _k ON _u.metric = _k.metric
    GROUP BY _u.metric
), _splits AS (
    SELECT
        s.metric,
        s.segment,
        sample_ratio(s) AS p_split,
        split_note(s, sample_ratio(s)) AS note
    FROM allocated(users, shares := shares) AS s
    GROUP BY s.metric, s.segment
), _found AS (
    SELECT
        a.metric,
        a.segment,
        a.variant,
        a.control,
        variant_users(a) AS users,
        control_users(a) AS control_users,
        variant_mean(a) AS mean,
        control_mean(a) AS control_mean,
        arm_variance(a, 1) AS variance,
        arm_variance(a, 0) AS control_variance,
        variant_difference(a) AS difference,
        relative_difference(a) AS relative,
        sum(a.numerator) / sum(a.denominator) AS ratio
    FROM _arms AS a
    GROUP BY a.metric, a.segment, a.variant, a.control
), _tested AS (
    SELECT
        _f.*,
        'all' AS family,
        coalesce(sqrt(_f.control_variance + _f.variance) > 0, FALSE) AS varies,
        -- of columns, which DuckDB plans in a third of the time of welch_t
        CASE
            WHEN anytime IS NULL OR NOT _f.control_variance + _f.variance > 0
                THEN welch_p(
                    CASE WHEN abs(_f.difference) <= 1e-12 * abs(_f.control_mean) THEN 0e0 ELSE _f.difference END,
                    _f.control_variance, _f.control_users, _f.variance, _f.users, alternative
                )
            ELSE anytime_p(
                _f.difference, _f.control_variance + _f.variance,
                anytime_steps(_f.control_users + _f.users, anytime, alpha)
            )
        END AS p
    FROM _found AS _f
), _skewed AS (
    SELECT
        _f.metric,
        _f.segment,
        _f.variant,
        skewness_of(_a.numerator - _f.ratio * _a.denominator) AS skew
    FROM _arms AS _a
    INNER JOIN _found AS _f
        ON
            _a.metric = _f.metric
            AND _a.segment IS NOT DISTINCT FROM _f.segment
            AND _a.variant = _f.variant
    GROUP BY _f.metric, _f.segment, _f.variant
), _levels AS (
    SELECT
        _t.*,
        CASE WHEN alternative = 'two-sided' THEN _t.confidence ELSE 1e0 - 2e0 * (1e0 - _t.confidence) END AS level,
        count(*) OVER () AS tests
    FROM corrected_levels(_tested, correction, alpha) AS _t
), _margins AS (
    SELECT
        _l.*,
        CASE
            WHEN anytime IS NULL OR NOT _l.control_variance + _l.variance > 0
                THEN welch_margin(_l.control_variance, _l.control_users, _l.variance, _l.users, _l.level)
            ELSE anytime_margin(
                _l.control_variance + _l.variance,
                anytime_steps(_l.control_users + _l.users, anytime, alpha),
                _l.level
            )
        END AS margin
    FROM _levels AS _l
), _ends AS (
    SELECT
        _l.*,
        relative_end(
            _l.control_mean, _l.mean, _l.control_variance, _l.variance, _l.margin, -1
        ) AS relative_low,
        relative_end(
            _l.control_mean, _l.mean, _l.control_variance, _l.variance, _l.margin, 1
        ) AS relative_high,
        CASE WHEN _m.is_share THEN 1e0 ELSE infinity() END AS most,
        -- a percentage of a mean below 0 turns round
        CASE WHEN _l.control_mean < 0 THEN -1 ELSE 1 END
        * CASE alternative WHEN 'greater' THEN 1 WHEN 'less' THEN -1 ELSE 0 END AS relative_side,
        _m.place
    FROM _margins AS _l
    INNER JOIN _metrics AS _m ON _l.metric = _m.metric
    WHERE
        must_hold(
            CASE
                WHEN anytime IS NOT NULL AND alternative <> 'two-sided'
                    THEN concat('with anytime, alternative must be ''two-sided'', not ''', alternative, '''')
            END
        )
)
SELECT
    _e.metric,
    _e.segment,
    _e.variant,
    _e.control,
    _e.users,
    _e.control_users,
    _e.mean,
    _e.control_mean,
    _e.difference,
    CASE
        WHEN NOT _e.varies THEN NULL
        WHEN alternative = 'less' THEN -infinity()
        ELSE greatest(_e.difference - _e.margin, -_e.most)
    END AS low,
    CASE
        WHEN NOT _e.varies THEN NULL
        WHEN alternative = 'greater' THEN infinity()
        ELSE least(_e.difference + _e.margin, _e.most)
    END AS high,
    _e.relative,
    CASE
        WHEN NOT _e.varies OR _e.relative_low IS NULL THEN NULL
        WHEN _e.relative_side < 0 THEN -infinity()
        ELSE _e.relative_low
    END AS relative_low,
    CASE
        WHEN NOT _e.varies OR _e.relative_low IS NULL THEN NULL
        WHEN _e.relative_side > 0 THEN infinity()
        ELSE _e.relative_high
    END AS relative_high,
    _e.confidence,
    _e.p,
    _e.p_corrected,
    _e.significant,
    _p.p_split,
    joined_notes(
        joined_notes(
            _p.note,
            CASE
                WHEN least(_e.users, _e.control_users) < 2 THEN 'a variant has one user; a test needs two or more'
                WHEN NOT _e.varies AND _e.difference <> 0
                    THEN 'one value for every user of a variant, so no test is possible'
                WHEN NOT _e.varies THEN 'the same value for every user, so no test is possible'
                WHEN skewed_times(_s.skew, _e.control_users, _e.users) > 1
                    THEN concat(
                        _e.users, ' and ', _e.control_users,
                        ' users are too few for values this skewed: the interval and p-value need about ',
                        whole_text(skewed_times(_s.skew, _e.control_users, _e.users)), ' times as many'
                    )
                WHEN _e.relative_low IS NULL THEN 'no relative difference, since the control''s mean is 0'
            END
        ),
        joined_notes(
            CASE
                WHEN _e.control_mean < 0
                    THEN 'the control''s mean is below 0, so that a relative difference above 0 is a lower mean'
            END,
            CASE
                WHEN correction = 'none' AND _e.tests > 1
                    THEN concat(
                        _e.tests, ' tests are not corrected: without any true difference, ',
                        two_digits(alpha * _e.tests), ' would be significant on average'
                    )
            END
        )
    ) AS note
FROM _ends AS _e
INNER JOIN _splits AS _p ON _e.metric = _p.metric AND _e.segment IS NOT DISTINCT FROM _p.segment
LEFT JOIN _skewed AS _s
    ON _e.metric = _s.metric AND _e.segment IS NOT DISTINCT FROM _s.segment AND _e.variant = _s.variant
ORDER BY _e.place ASC, _e.segment ASC NULLS LAST, _e.variant ASC;
