-- Pooled documents without a stratum.
-- severity: error
-- remedy: each row needs the stratum that it was drawn from
-- qrels: as for stratified
CREATE OR REPLACE MACRO unknown_strata(qrels) AS TABLE
SELECT
    _q.query_id,
    _q.doc_id,
    concat(document_of(_q.query_id, _q.doc_id), ' has no stratum') AS problem
FROM stratified_judgments(qrels) AS _q
WHERE _q.stratum IS NULL;
