-- Judgments without query, document or relevance, or with a relevance that is not a finite number.
-- qrels: judgments, as for judged
CREATE OR REPLACE MACRO unusable_judgments(qrels) AS TABLE
SELECT q.query_id, q.doc_id, q.relevance
FROM judgments(qrels) AS q
WHERE q.query_id IS NULL OR q.doc_id IS NULL OR q.relevance IS NULL OR NOT isfinite(q.relevance);
