-- Values before the experiment that cannot explain those after it.
-- severity: error
-- column: before
-- remedy: give each user a number in the column before, not beyond 1e60, and 0 for one who was not there, or compare
--     without it
-- users: as for adjusted
-- cuped: whether they are used, or NULL to do so if they are there
CREATE OR REPLACE MACRO unusable_before(users, cuped BOOLEAN := TRUE) AS TABLE
SELECT
    _u.variant,
    _u.metric,
    _u.user_id,
    CASE
        WHEN NOT is_countable(_u.before)
            THEN concat(given_value('before', _u.given_before), ' for user ', _u.user_id)
        ELSE concat(given_value('before_denominator', _u.given_before_denominator), ' for user ', _u.user_id)
    END AS problem
FROM assigned(users) AS _u
WHERE
    coalesce(cuped, _u.has_before) AND _u.has_before
    AND (NOT is_countable(_u.before) OR NOT is_countable(_u.before_denominator) OR _u.before_denominator < 0)
UNION ALL
SELECT
    NULL AS variant,
    _u.metric,
    NULL AS user_id,
    'no column before' AS problem
FROM assigned(users) AS _u
WHERE coalesce(cuped, _u.has_before) AND NOT _u.has_before
GROUP BY _u.metric
UNION ALL
SELECT
    _u.variant,
    _u.metric,
    NULL AS user_id,
    concat('before_denominator is 0 for all users of variant ', _u.variant, in_segment(_u.segment)) AS problem
FROM assigned(users) AS _u
WHERE coalesce(cuped, _u.has_before)
GROUP BY _u.variant, _u.metric, _u.segment
HAVING max(_u.before_denominator) = 0
UNION ALL
SELECT
    NULL AS variant,
    _u.metric,
    NULL AS user_id,
    concat('every value of ', _u.metric, in_segment(_u.segment), ' before is closer to 0 than 1e-60') AS problem
FROM assigned(users) AS _u
WHERE coalesce(cuped, _u.has_before)
GROUP BY _u.metric, _u.segment
HAVING
    (max(abs(_u.before)) > 0 AND max(abs(_u.before)) < 1e-60)
    OR (max(abs(_u.before_denominator)) > 0 AND max(abs(_u.before_denominator)) < 1e-60);
