-- Variants whose denominators are all 0, so that they have no ratio.
-- severity: error
-- remedy: a ratio needs a denominator above 0 in each variant
-- users: as for arms
CREATE OR REPLACE MACRO empty_variants(users) AS TABLE
SELECT
    _u.variant,
    _u.metric,
    _u.segment,
    concat(
        'denominator is 0 for all users of variant ', _u.variant, ' by ', _u.metric, in_segment(_u.segment)
    ) AS problem
FROM assigned(users) AS _u
GROUP BY _u.variant, _u.metric, _u.segment
HAVING max(_u.denominator) = 0;
