-- Pooled documents without a stratum, or whose relevance is not a finite number.
-- severity: error
-- remedy: each row needs the stratum that it was drawn from, and a finite number, below 0 for a document not judged
-- qrels: as for stratified
CREATE OR REPLACE MACRO unknown_strata(qrels) AS TABLE
SELECT
    _q.query_id,
    _q.doc_id,
    CASE
        WHEN isfinite(_q.relevance) AND _q.query_id IS NOT NULL AND _q.doc_id IS NOT NULL
            THEN concat(document_of(_q.query_id, _q.doc_id), ' has no stratum')
        ELSE unusable_value('relevance', _q.given_relevance, _q.query_id, _q.doc_id)
    END AS problem
FROM stratified_judgments(qrels) AS _q
WHERE
    _q.stratum IS NULL OR _q.query_id IS NULL OR _q.doc_id IS NULL OR _q.relevance IS NULL
    OR NOT isfinite(_q.relevance);
