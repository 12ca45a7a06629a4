-- The users of each variant and those of the control: a row for each metric, variant and user of either.
-- users: table or file with a row for each user, who was assigned to a variant at random: user_id, variant, numerator;
--     denominator for ratios such as clicks / pages, 1 if it is missing; metric, if there are several; segment, of any
--     type, if each is compared by itself
-- control: the variant that the others are compared with, or NULL for the one called control, or else the first by name
-- refuses: unusable_users, users_of_two_variants, repeated_users, lone_variants, unknown_control, empty_variants
-- groups: metric, segment, variant, control
-- once: user_id
-- returns metric, segment, variant, control, user_id: one row each; the users of the control are there with each
--     variant
-- returns treated: 1 for a user of the variant, 0 for one of the control
-- returns numerator, denominator: what is counted, out of what
-- returns before, before_denominator: the same before the experiment, NULL and 1 if they are missing
CREATE OR REPLACE MACRO arms(users, control := NULL) AS TABLE
SELECT
    _v.metric,
    _v.segment,
    _v.variant,
    _v.control,
    _u.user_id,
    CASE WHEN _u.variant = _v.variant THEN 1 ELSE 0 END AS treated,
    _u.numerator,
    _u.denominator,
    _u.before,
    _u.before_denominator
FROM (
    SELECT DISTINCT
        _a.metric,
        _a.segment,
        _a.variant,
        coalesce(CAST(control AS VARCHAR), (SELECT usual_control(_x.variant) FROM assigned(users) AS _x)) AS control
    FROM assigned(users) AS _a
) AS _v
INNER JOIN assigned(users) AS _u
    ON
        _v.metric = _u.metric
        AND _v.segment IS NOT DISTINCT FROM _u.segment
        AND (_v.variant = _u.variant OR _v.control = _u.variant)
WHERE _v.variant <> _v.control;
