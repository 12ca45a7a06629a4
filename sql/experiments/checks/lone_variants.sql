-- Metrics with the users of one variant only.
-- severity: error
-- says: only variant {variant} has users with {metric}
-- remedy: an experiment needs two variants
-- users: as for arms
CREATE OR REPLACE MACRO lone_variants(users) AS TABLE
SELECT
    min(_u.variant) AS variant,
    _u.metric
FROM assigned(users) AS _u
GROUP BY _u.metric
HAVING min(_u.variant) = max(_u.variant);
