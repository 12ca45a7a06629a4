-- Recommended items that are not in the catalogue; coverage and equality would be wrong.
-- severity: error
-- remedy: add them to the items, or leave them out of the run
-- recommended_items: rows of recommended_items
-- items: as for exposed
-- returns run_id, doc_id: one row each
CREATE OR REPLACE MACRO unlisted_items(recommended_items, items) AS TABLE
SELECT
    _r.run_id,
    _r.doc_id,
    concat('run ', _r.run_id, ' recommends item ', _r.doc_id, ', which is not among the items') AS problem
FROM query_table(recommended_items) AS _r
LEFT JOIN (SELECT DISTINCT _i.doc_id FROM listed_items(items) AS _i) AS _c ON _r.doc_id = _c.doc_id
WHERE _c.doc_id IS NULL;
