-- Retrieved documents that are not in the collection.
-- severity: warning
-- says: document {doc_id} of query {query_id}
-- run: as for judged; retrieved documents
-- documents: the collection: table or file with the column doc_id
CREATE OR REPLACE MACRO dangling_documents(run, documents) AS TABLE
SELECT
    _d.run_id,
    _d.query_id,
    _d.doc_id
FROM retrieved(run) AS _d
WHERE
    NOT EXISTS (
        SELECT 1 FROM query_table(documents) AS _c
        WHERE CAST(_c.doc_id AS VARCHAR) COLLATE C = _d.doc_id
    );
