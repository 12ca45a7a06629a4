-- Users who are in more than one variant, so that they show the effect of both.
-- severity: error
-- remedy: leave out users who saw both, and find out why they did
-- users: as for arms
-- returns one, other: two of the variants
CREATE OR REPLACE MACRO users_of_two_variants(users) AS TABLE
SELECT
    _u.user_id,
    min(_u.variant) AS one,
    max(_u.variant) AS other,
    concat('user ', _u.user_id, ' is in variants ', min(_u.variant), ' and ', max(_u.variant)) AS problem
FROM assigned(users) AS _u
GROUP BY _u.user_id
HAVING min(_u.variant) <> max(_u.variant);
