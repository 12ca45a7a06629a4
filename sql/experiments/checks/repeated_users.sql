-- Users who appear more than once, so that their values are not independent.
-- severity: error
-- remedy: add up the rows of a user: one row for each user, with the sums of numerators and denominators
-- users: as for arms
-- returns times: how often
CREATE OR REPLACE MACRO repeated_users(users) AS TABLE
SELECT
    _u.variant,
    _u.metric,
    _u.segment,
    _u.user_id,
    count(*) AS times,
    concat(
        'user ', _u.user_id, ' appears ', count(*), ' times in variant ', _u.variant, ' by ', _u.metric,
        in_segment(_u.segment)
    ) AS problem
FROM assigned(users) AS _u
GROUP BY _u.variant, _u.metric, _u.segment, _u.user_id
HAVING count(*) > 1;
