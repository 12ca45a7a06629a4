-- Metrics with the users of one variant only.
-- severity: error
-- remedy: an experiment needs two variants
-- users: as for arms
CREATE OR REPLACE MACRO lone_variants(users) AS TABLE
SELECT
    min(_u.variant) AS variant,
    _u.metric,
    concat('only variant ', min(_u.variant), ' has users with ', _u.metric) AS problem
FROM assigned(users) AS _u
GROUP BY _u.metric
HAVING min(_u.variant) = max(_u.variant);
