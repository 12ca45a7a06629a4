-- Retrieved documents that cannot be ranked: without query, document or score, or with a score that is not a number.
-- run: retrieved documents, as for judged
CREATE OR REPLACE MACRO unusable_documents(run) AS TABLE
SELECT d.run_id, d.query_id, d.doc_id, d.score
FROM retrieved(run) AS d
WHERE d.query_id IS NULL OR d.doc_id IS NULL OR d.score IS NULL OR isnan(d.score);
