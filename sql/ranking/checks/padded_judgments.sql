-- Judgments with whitespace before or after an id; they match only ids with the same whitespace.
-- severity: warning
-- noted: it may turn a result around
-- qrels: as for judged; judgments
CREATE OR REPLACE MACRO padded_judgments(qrels) AS TABLE
SELECT
    _q.query_id,
    _q.doc_id,
    concat('document ''', _q.doc_id, ''' of query ''', _q.query_id, '''') AS problem
FROM judgments(qrels) AS _q
WHERE is_padded(_q.query_id) OR is_padded(_q.doc_id);
