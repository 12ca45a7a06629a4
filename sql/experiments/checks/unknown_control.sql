-- A control that is not among the variants of a metric.
-- severity: error
-- remedy: name one of them
-- users: as for arms
-- control: as for arms
CREATE OR REPLACE MACRO unknown_control(users, control := NULL) AS TABLE
SELECT
    _c.control,
    _u.metric,
    _u.segment,
    concat(
        _u.metric, in_segment(_u.segment), ' has no variant named ''', _c.control, '''; the variants are ',
        listed_texts(_u.variant)
    ) AS problem
FROM assigned(users) AS _u
CROSS JOIN (
    SELECT coalesce(CAST(control AS VARCHAR), usual_control(_x.variant)) AS control
    FROM assigned(users) AS _x
) AS _c
GROUP BY _c.control, _u.metric, _u.segment
HAVING count(CASE WHEN _u.variant = _c.control THEN 1 END) = 0;
