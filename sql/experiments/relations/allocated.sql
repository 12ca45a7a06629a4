-- How many users each variant has, and how many it should have: a row for each metric,
--     segment and variant.
-- users: as for arms
-- shares: the planned shares, such as MAP {'A': 0.9, 'B': 0.1}, or NULL for equal ones; 9 and 1 are the same
-- refuses: unusable_users, users_of_two_variants, repeated_users, lone_variants, unplanned_variants
-- groups: metric, segment
-- once: variant
-- all: num_variants
-- returns metric, segment, variant: one row each
-- returns users: how many there are; 0 for a variant that only other metrics or segments have
-- returns share: the planned share of all
-- returns expected_users: how many that would be
-- returns num_variants: how many variants there are
CREATE OR REPLACE MACRO allocated(users, shares := NULL) AS TABLE
SELECT
    _s.metric,
    _s.segment,
    _s.variant,
    _s.users,
    _s.weight / _s.weights AS share,
    _s.weight / _s.weights * _s.all_users AS expected_users,
    _s.num_variants
FROM (
    SELECT
        _n.*,
        sum(_n.weight) OVER (PARTITION BY _n.metric, _n.segment) AS weights,
        sum(_n.users) OVER (PARTITION BY _n.metric, _n.segment) AS all_users,
        count(*) OVER (PARTITION BY _n.metric, _n.segment) AS num_variants
    FROM (
        SELECT
            _m.metric,
            _m.segment,
            _v.variant,
            count(_a.user_id) AS users,
            coalesce(CAST(shares AS MAP (VARCHAR, DOUBLE))[_v.variant], 1e0) AS weight
        FROM (SELECT DISTINCT _x.metric, _x.segment FROM assigned(users) AS _x) AS _m
        CROSS JOIN (SELECT DISTINCT _x.variant FROM assigned(users) AS _x) AS _v
        LEFT JOIN assigned(users) AS _a
            ON
                _m.metric = _a.metric
                AND _m.segment IS NOT DISTINCT FROM _a.segment
                AND _v.variant = _a.variant
        GROUP BY _m.metric, _m.segment, _v.variant
    ) AS _n
) AS _s;
