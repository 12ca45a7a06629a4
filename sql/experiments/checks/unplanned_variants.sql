-- Variants without a planned share, and planned variants without users.
-- severity: error
-- remedy: shares must name each variant that has users, with a number above 0
-- users: as for allocated
-- shares: as for allocated
CREATE OR REPLACE MACRO unplanned_variants(users, shares := NULL) AS TABLE
SELECT
    coalesce(_p.variant, _u.variant) AS variant,
    CASE
        WHEN _u.variant IS NULL THEN concat('variant ', _p.variant, ' has a planned share but no users')
        WHEN _p.variant IS NULL THEN concat('variant ', _u.variant, ' has users but no planned share')
        ELSE concat('the planned share of variant ', _p.variant, ' is ', coalesce(CAST(_p.share AS VARCHAR), 'NULL'))
    END AS problem
FROM (
    SELECT
        _e.entry.key AS variant,
        _e.entry.value AS share
    FROM (SELECT unnest(map_entries(CAST(shares AS MAP (VARCHAR, DOUBLE)))) AS entry) AS _e
) AS _p
FULL JOIN (SELECT DISTINCT _x.variant FROM assigned(users) AS _x) AS _u ON _p.variant = _u.variant
WHERE
    shares IS NOT NULL
    AND (_u.variant IS NULL OR _p.variant IS NULL OR coalesce(NOT (_p.share > 0 AND isfinite(_p.share)), TRUE));
