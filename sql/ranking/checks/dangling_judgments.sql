-- Judged documents that are not in the collection.
-- severity: warning
-- qrels: as for judged; judgments
-- documents: the collection: table or file with the column doc_id
CREATE OR REPLACE MACRO dangling_judgments(qrels, documents) AS TABLE
SELECT
    _q.query_id,
    _q.doc_id,
    document_of(_q.query_id, _q.doc_id) AS problem
FROM judgments(qrels) AS _q
WHERE
    NOT EXISTS (
        SELECT 1 FROM query_table(documents) AS _c
        WHERE CAST(_c.doc_id AS VARCHAR) COLLATE C = _q.doc_id
    );
