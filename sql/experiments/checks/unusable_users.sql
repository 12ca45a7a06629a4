-- Users whose values cannot be compared: they lack an id, variant or metric, are not numbers, or are too large or too
--     small to be squared.
-- severity: error
-- remedy: each row needs a user_id, a variant and a numerator that is a number, not beyond 1e60; a denominator is 0 or
--     more
-- users: as for arms
CREATE OR REPLACE MACRO unusable_users(users) AS TABLE
SELECT
    _u.variant,
    _u.metric,
    _u.user_id,
    CASE
        WHEN _u.user_id IS NULL THEN concat('a row of variant ', _u.variant, ' has no user_id')
        WHEN _u.variant IS NULL THEN concat('no variant for user ', _u.user_id)
        WHEN _u.metric IS NULL THEN concat('no metric for user ', _u.user_id)
        WHEN NOT is_countable(_u.numerator)
            THEN concat(given_value('numerator', _u.given_numerator), ' for user ', _u.user_id)
        ELSE concat(given_value('denominator', _u.given_denominator), ' for user ', _u.user_id)
    END AS problem
FROM assigned(users) AS _u
WHERE
    _u.user_id IS NULL OR _u.variant IS NULL OR _u.metric IS NULL
    OR NOT is_countable(_u.numerator) OR NOT is_countable(_u.denominator) OR _u.denominator < 0
UNION ALL
SELECT
    NULL AS variant,
    _u.metric,
    NULL AS user_id,
    concat('every value of ', _u.metric, in_segment(_u.segment), ' is closer to 0 than 1e-60') AS problem
FROM assigned(users) AS _u
GROUP BY _u.metric, _u.segment
HAVING
    (max(abs(_u.numerator)) > 0 AND max(abs(_u.numerator)) < 1e-60)
    OR (max(abs(_u.denominator)) > 0 AND max(abs(_u.denominator)) < 1e-60);
