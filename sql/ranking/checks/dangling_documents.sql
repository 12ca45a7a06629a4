-- Retrieved documents that are not in the collection.
-- severity: warning
-- run: as for judged; retrieved documents
-- documents: the collection: table or file with the column doc_id
CREATE OR REPLACE MACRO dangling_documents(run, documents) AS TABLE
SELECT
    _d.run_id,
    _d.query_id,
    _d.doc_id,
    concat(document_of(_d.query_id, _d.doc_id), ' in run ' || nullif(_d.run_id, 'run')) AS problem
FROM retrieved(run) AS _d
WHERE
    NOT EXISTS (
        SELECT 1 FROM query_table(documents) AS _c
        WHERE CAST(_c.doc_id AS VARCHAR) COLLATE C = _d.doc_id
    );
