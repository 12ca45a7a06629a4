-- A log in which every page has a click: pages without clicks seem to be missing, so shares are too high.
-- severity: warning
-- log: as for clicked
-- returns pages: how many there are
CREATE OR REPLACE MACRO clicks_everywhere(log) AS TABLE
SELECT
    count(*) AS pages,
    concat('each of the ', count(*), ' pages has a click') AS problem
FROM (
    SELECT max(coalesce(_s.clicked, 0)) AS has_click
    FROM shown(log) AS _s
    GROUP BY _s.page_id
) AS _p
HAVING min(_p.has_click) = 1 AND count(*) >= 20;
