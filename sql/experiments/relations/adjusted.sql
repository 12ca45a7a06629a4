-- The rows of arms, with numerators after CUPED adjustment for the users' values before the experiment: the expected
--     difference is the same, and its error is smaller.
-- users: as for arms, with a column before: what the numerator was before the experiment; before_denominator, 1 if it
--     is missing
-- control: as for arms
-- refuses: unusable_users, users_of_two_variants, repeated_users, lone_variants, unknown_control, empty_variants,
--     unusable_before
-- groups: metric, segment, variant, control
-- once: user_id
-- returns metric, segment, variant, control, user_id, treated, denominator, before, before_denominator: as in arms
-- returns numerator: y - θ · (mean of x / mean of c · (b - Q · c) + (Q - Q of both arms) · x), of values before b and c
--     and their ratio Q in the arm, with the θ by which b / c explains y / x best: y - θ · (b - mean of b) if there
--     are no denominators
CREATE OR REPLACE MACRO adjusted(users, control := NULL) AS TABLE
SELECT
    _e.metric,
    _e.segment,
    _e.variant,
    _e.control,
    _e.user_id,
    _e.treated,
    _e.numerator - _e._effect * (
        _e._mean / _e._before_mean * (_e.before - _e._arm_ratio * _e.before_denominator)
        + (_e._arm_ratio - _e._ratio) * _e.denominator
    ) AS numerator,
    _e.denominator,
    _e.before,
    _e.before_denominator
FROM (
    SELECT
        _d.*,
        -- both have the mean 0
        CASE
            WHEN
                sum(_d._earlier * _d._earlier) OVER _pair
                > 1e-24 * (count(*) OVER _pair - 1) * power(max(abs(_d.before / _d._pair_before)) OVER _pair, 2)
                THEN sum(_d._after * _d._earlier) OVER _pair / sum(_d._earlier * _d._earlier) OVER _pair
            ELSE 0e0
        END AS _effect
    FROM (
        SELECT
            _r.*,
            _r.numerator / _r._pair_mean - _r._after_ratio * _r.denominator / _r._pair_mean AS _after,
            _r.before / _r._pair_before - _r._ratio * _r.before_denominator / _r._pair_before AS _earlier
        FROM (
            SELECT
                _a.*,
                avg(_a.denominator) OVER _arm AS _mean,
                avg(_a.before_denominator) OVER _arm AS _before_mean,
                sum(_a.before) OVER _arm / sum(_a.before_denominator) OVER _arm AS _arm_ratio,
                avg(_a.denominator) OVER _pair AS _pair_mean,
                nullif(avg(_a.before_denominator) OVER _pair, 0) AS _pair_before,
                sum(_a.before) OVER _pair / sum(_a.before_denominator) OVER _pair AS _ratio,
                sum(_a.numerator) OVER _pair / sum(_a.denominator) OVER _pair AS _after_ratio
            FROM arms(users, control := control) AS _a
            WINDOW
                _pair AS (PARTITION BY _a.metric, _a.segment, _a.variant, _a.control),
                _arm AS (PARTITION BY _a.metric, _a.segment, _a.variant, _a.control, _a.treated)
        ) AS _r
    ) AS _d
    WINDOW _pair AS (PARTITION BY _d.metric, _d.segment, _d.variant, _d.control)
) AS _e;
