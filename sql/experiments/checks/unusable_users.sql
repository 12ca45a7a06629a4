-- Users whose values cannot be compared: they lack an id, variant or metric, or are not numbers up to 1e60, whose
--     fourth powers are numbers, too.
-- severity: error
-- says: {problem}
-- remedy: each row needs a user_id, a variant and a numerator that is a number, 1e60 at most; a denominator is 0
--     or more
-- users: as for arms
-- returns problem: what is wrong
CREATE OR REPLACE MACRO unusable_users(users) AS TABLE
SELECT
    _u.variant,
    _u.metric,
    _u.user_id,
    CASE
        WHEN _u.user_id IS NULL THEN concat('a row of variant ', _u.variant, ' has no user_id')
        WHEN _u.variant IS NULL THEN concat('no variant for user ', _u.user_id)
        WHEN _u.metric IS NULL THEN concat('no metric for user ', _u.user_id)
        WHEN _u.numerator IS NULL OR abs(_u.numerator) > 1e60
            THEN concat(given_value('numerator', _u.given_numerator), ' for user ', _u.user_id)
        ELSE concat(given_value('denominator', _u.given_denominator), ' for user ', _u.user_id)
    END AS problem
FROM assigned(users) AS _u
WHERE
    _u.user_id IS NULL OR _u.variant IS NULL OR _u.metric IS NULL
    OR _u.numerator IS NULL OR abs(_u.numerator) > 1e60
    OR _u.denominator IS NULL OR abs(_u.denominator) > 1e60 OR _u.denominator < 0;
