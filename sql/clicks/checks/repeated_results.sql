-- Documents that a page shows at several positions; each position counts as a separate document.
-- severity: warning
-- log: as for clicked
-- returns times: how many times
CREATE OR REPLACE MACRO repeated_results(log) AS TABLE
SELECT
    CAST(_s.page_id AS VARCHAR) AS page_id,
    _s.doc_id,
    count(*) AS times,
    concat('page ', _s.page_id, ' shows document ', _s.doc_id, ' ', count(*), ' times') AS problem
FROM shown(log) AS _s
WHERE _s.doc_id IS NOT NULL
GROUP BY _s.page_id, _s.doc_id
HAVING min(_s.position) < max(_s.position);
