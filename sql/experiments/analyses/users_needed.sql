-- How many users an A/B test takes, from past users.
-- users: as for linearized: users of the past, in one variant or several; a column before, what the numerator was
--     before, makes fewer users enough (CUPED)
-- difference: above 0, or NULL; the difference of two means, or of two ratios, to find
-- relative: above 0, or NULL; in its place, the difference as a share of the mean: 0.02 for 2 per cent
-- share: between 0 and 1; the share of the users in the variant; the others are in the control
-- cuped: whether to adjust for the values before the experiment (CUPED), by default if they are there
-- alpha: between 0 and 1; level of significance of the test, which is two-sided
-- power: between 0 and 1; how often it would find the difference; above alpha
-- refuses: unusable_before
-- returns metric, segment, variant: one row each: whose users the numbers are from
-- returns past_users: how many there are, with a denominator above 0
-- returns mean: their mean or, with denominators, ratio of sums
-- returns spread: the standard deviation of what a user adds to it (delta method)
-- returns explained: the share of its square that the values before explain, 0 if they are not used
-- returns difference, relative: what is to be found
-- returns users, variant_users, control_users: how many are needed in all, in the variant and in the control
-- returns note: why not to trust the row
-- source: Guenther 1981, doi:10.2307/2683988; for CUPED Deng, Xu, Kohavi and Walker 2013, doi:10.1145/2433396.2433413
-- example: users.csv --difference 0.5
CREATE OR REPLACE MACRO users_needed(
    users,
    difference DOUBLE := NULL,
    relative DOUBLE := NULL,
    share DOUBLE := 5e-1,
    cuped BOOLEAN := NULL,
    alpha DOUBLE := 5e-2,
    power DOUBLE := 8e-1
) AS TABLE
WITH _earlier AS (
    SELECT
        _u.user_id,
        _u.variant,
        _u.metric,
        _u.segment,
        _u.before AS numerator,
        _u.before_denominator AS denominator
    FROM assigned(users) AS _u
    WHERE coalesce(cuped, _u.has_before)
), _known AS (
    SELECT
        _l.*,
        coalesce(
            _e.score, avg(_e.score) OVER (PARTITION BY _l.metric, _l.segment, _l.run_id)
        ) AS earlier
    FROM linearized(users) AS _l
    LEFT JOIN linearized(_earlier) AS _e
        ON
            _l.metric = _e.metric
            AND _l.segment IS NOT DISTINCT FROM _e.segment
            AND _l.run_id = _e.run_id
            AND _l.query_id = _e.query_id
), _found AS (
    SELECT
        _k.metric,
        _k.segment,
        _k.run_id,
        count(*) AS past_users,
        avg(_k.score) AS mean,
        spread(_k) AS spread,
        varies(_k) AS has_varied,
        CASE
            WHEN varies(_k) AND has_spread(_k.earlier) THEN power(correlation_of(_k.score, _k.earlier), 2)
            ELSE 0e0
        END AS explained,
        skewness_of(_k.score) AS skew
    FROM _known AS _k
    GROUP BY _k.metric, _k.segment, _k.run_id
), _asked AS (
    SELECT
        _f.*,
        coalesce(difference, relative * abs(_f.mean)) AS wanted
    FROM _found AS _f
    WHERE
        must_hold(
            CASE
                WHEN power <= alpha THEN power_problem(power, alpha)
                WHEN (difference IS NULL) = (relative IS NULL)
                    THEN 'give the difference to find: difference or relative, one of them'
                WHEN difference IS NULL AND _f.mean = 0
                    THEN concat('the mean of ', _f.metric, ' is 0: give difference in place of relative')
            END
        )
), _needed AS (
    SELECT
        _a.metric,
        _a.segment,
        _a.run_id,
        -- the error of the difference is that of as many pairs, times √(share · (1 - share))
        queries_needed(
            _k,
            difference := _a.wanted * sqrt(share * (1e0 - share) / greatest(1e0 - _a.explained, 1e-12)),
            alpha := alpha,
            power := power
        ) AS number
    FROM _known AS _k
    INNER JOIN _asked AS _a
        ON
            _k.metric = _a.metric
            AND _k.segment IS NOT DISTINCT FROM _a.segment
            AND _k.run_id = _a.run_id
    GROUP BY _a.metric, _a.segment, _a.run_id, _a.wanted, _a.explained
), _split AS (
    SELECT
        _a.*,
        CAST(ceil(_n.number * share) AS BIGINT) AS variant_users,
        CAST(ceil(_n.number * (1e0 - share)) AS BIGINT) AS control_users,
        _m.place
    FROM _asked AS _a
    INNER JOIN _needed AS _n
        ON
            _a.metric = _n.metric
            AND _a.segment IS NOT DISTINCT FROM _n.segment
            AND _a.run_id = _n.run_id
    INNER JOIN measured_places(users) AS _m ON _a.metric = _m.metric
)
SELECT
    _s.metric,
    _s.segment,
    _s.run_id AS variant,
    _s.past_users,
    _s.mean,
    _s.spread,
    _s.explained,
    _s.wanted AS difference,
    _s.wanted / abs(nullif(_s.mean, 0)) AS relative,
    _s.variant_users + _s.control_users AS users,
    _s.variant_users,
    _s.control_users,
    CASE
        WHEN _s.past_users < 2 THEN 'one user: how far values vary is not known'
        WHEN NOT _s.has_varied THEN 'the same value for every user, so no number is possible'
        WHEN _s.variant_users IS NULL THEN 'the difference is too small for any number of users'
        WHEN skewed_times(_s.skew, _s.control_users, _s.variant_users) > 1
            THEN concat(
                'values this skewed need about ',
                whole_text(skewed_times(_s.skew, _s.control_users, _s.variant_users)),
                ' times as many users for a test to be right'
            )
        WHEN _s.past_users < 30 THEN 'with fewer than 30 users, the numbers are a rough guide'
    END AS note
FROM _split AS _s
ORDER BY _s.place ASC, _s.segment ASC NULLS LAST, _s.run_id ASC;
