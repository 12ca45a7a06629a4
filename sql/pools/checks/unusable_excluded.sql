-- Documents to exclude without an id, which would exclude nothing.
-- severity: error
-- remedy: give each row a query_id and a doc_id
-- exclude: as for without; documents to leave out
-- returns query_id, doc_id: one row each, for each of these documents
-- returns problem: what is wrong
CREATE OR REPLACE MACRO unusable_excluded(exclude) AS TABLE
SELECT
    _e.query_id,
    _e.doc_id,
    missing_id(_e.query_id, _e.doc_id) AS problem
FROM read_excluded(exclude) AS _e
WHERE missing_id(_e.query_id, _e.doc_id) IS NOT NULL;
