-- Judged documents that no run retrieved for any query; they may no longer be in the collection.
-- severity: warning
-- qrels: as for judged; judgments
-- run: as for judged; retrieved documents
CREATE OR REPLACE MACRO unseen_judgments(qrels, run) AS TABLE
SELECT
    _q.query_id,
    _q.doc_id,
    document_of(_q.query_id, _q.doc_id) AS problem
FROM judgments(qrels) AS _q
WHERE
    NOT EXISTS (
        SELECT 1 FROM retrieved(run) AS _d
        WHERE _d.doc_id = _q.doc_id
    );
