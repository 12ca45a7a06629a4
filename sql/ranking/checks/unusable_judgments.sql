-- Judgments that lack a query, document or relevance, or whose relevance is not a finite number.
-- severity: error
-- remedy: each row needs a query_id, a doc_id and a finite number as relevance
-- qrels: as for judged; judgments
-- returns relevance: as given
CREATE OR REPLACE MACRO unusable_judgments(qrels) AS TABLE
SELECT
    _q.query_id,
    _q.doc_id,
    _q.given_relevance AS relevance,
    unusable_value('relevance', _q.given_relevance, _q.query_id, _q.doc_id) AS problem
FROM judgments(qrels) AS _q
WHERE
    _q.query_id IS NULL OR _q.doc_id IS NULL OR _q.relevance IS NULL
    -- infinity minus itself is not a number
    OR _q.relevance - _q.relevance <> 0
    OR is_blank(_q.query_id) OR is_blank(_q.doc_id);
