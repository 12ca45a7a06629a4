-- Users of an A/B test without what their values before explain (CUPED), by sums alone.
-- users, control: as for the other file of this name, which returns the same rows
CREATE OR REPLACE MACRO adjusted(users, control := NULL) AS TABLE
SELECT
    _e.metric,
    _e.segment,
    _e.variant,
    _e.control,
    _e.user_id,
    _e.treated,
    _e.numerator - _e.effect * (
        _e.mean / _e.before_mean * (_e.before - _e.arm_ratio * _e.before_denominator)
        + (_e.arm_ratio - _e.ratio) * _e.denominator
    ) AS numerator,
    _e.denominator,
    _e.before,
    _e.before_denominator
FROM (
    SELECT
        _d.*,
        _p.ratio,
        _m.mean,
        _m.before_mean,
        _m.arm_ratio,
        -- both have the mean 0
        CASE
            WHEN _p.squares > 1e-24 * _p.scale * _p.scale * (_p.size - 1e0) THEN _p.products / _p.squares
            ELSE 0e0
        END AS effect
    FROM arms(users, control := control) AS _d
    INNER JOIN (
        SELECT
            _a.metric,
            _a.segment,
            _a.variant,
            _a.control,
            _a.treated,
            avg(_a.denominator) AS mean,
            avg(_a.before_denominator) AS before_mean,
            sum(_a.before) / sum(_a.before_denominator) AS arm_ratio
        FROM arms(users, control := control) AS _a
        GROUP BY _a.metric, _a.segment, _a.variant, _a.control, _a.treated
    ) AS _m
        ON
            _d.metric = _m.metric
            AND _d.segment IS NOT DISTINCT FROM _m.segment
            AND _d.variant = _m.variant
            AND _d.control = _m.control
            AND _d.treated = _m.treated
    INNER JOIN (
        SELECT
            _b.metric,
            _b.segment,
            _b.variant,
            _b.control,
            min(_s.ratio) AS ratio,
            count(*) AS size,
            max(abs(_b.before)) / min(_s.before_mean) AS scale,
            sum(power((_b.before - _s.ratio * _b.before_denominator) / _s.before_mean, 2)) AS squares,
            sum(
                (_b.numerator - _s.after_ratio * _b.denominator) / _s.mean
                * (_b.before - _s.ratio * _b.before_denominator) / _s.before_mean
            ) AS products
        FROM arms(users, control := control) AS _b
        INNER JOIN (
            SELECT
                _c.metric,
                _c.segment,
                _c.variant,
                _c.control,
                avg(_c.denominator) AS mean,
                nullif(avg(_c.before_denominator), 0) AS before_mean,
                sum(_c.before) / sum(_c.before_denominator) AS ratio,
                sum(_c.numerator) / sum(_c.denominator) AS after_ratio
            FROM arms(users, control := control) AS _c
            GROUP BY _c.metric, _c.segment, _c.variant, _c.control
        ) AS _s
            ON
                _b.metric = _s.metric
                AND _b.segment IS NOT DISTINCT FROM _s.segment
                AND _b.variant = _s.variant
                AND _b.control = _s.control
        GROUP BY _b.metric, _b.segment, _b.variant, _b.control
    ) AS _p
        ON
            _d.metric = _p.metric
            AND _d.segment IS NOT DISTINCT FROM _p.segment
            AND _d.variant = _p.variant
            AND _d.control = _p.control
) AS _e;
