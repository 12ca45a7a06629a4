-- Recommended items that are not in the catalogue; what lists show would be wrong.
-- severity: error
-- remedy: add them to the items, or leave them out of the run
-- rankings: rows of rankings
-- items: as for exposed
-- k: 1 or more; cut-off rank, or NULL for all
-- returns run_id, query_id, doc_id: one row each
CREATE OR REPLACE MACRO unlisted_recommendations(rankings, items, k BIGINT := NULL) AS TABLE
SELECT
    _r.run_id,
    _r.query_id,
    _r.doc_id,
    concat('run ', _r.run_id, ' recommends item ', _r.doc_id, ', which is not among the items') AS problem
FROM query_table(rankings) AS _r
LEFT JOIN (SELECT DISTINCT _i.doc_id FROM listed_items(items) AS _i) AS _c ON _r.doc_id = _c.doc_id
WHERE _c.doc_id IS NULL AND within_k(_r.rank, k);
