-- Metrics with the users of one variant only.
-- severity: error
-- remedy: an experiment needs two variants
-- users: as for arms
CREATE OR REPLACE MACRO lone_variants(users) AS TABLE
SELECT
    min(_u.variant) AS variant,
    _u.metric,
    _u.segment,
    concat('only variant ', min(_u.variant), ' has users with ', _u.metric, in_segment(_u.segment)) AS problem
FROM assigned(users) AS _u
GROUP BY _u.metric, _u.segment
HAVING min(_u.variant) = max(_u.variant);
