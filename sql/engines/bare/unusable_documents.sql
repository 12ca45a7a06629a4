-- Retrieved documents that cannot be ranked: they lack a query, document or score, or the score is not a number.
-- run: as for judged; retrieved documents
CREATE OR REPLACE MACRO unusable_documents(run) AS TABLE
SELECT
    _d.run_id,
    _d.query_id,
    _d.doc_id,
    _d.score
FROM retrieved(run) AS _d
WHERE
    _d.query_id IS NULL OR _d.doc_id IS NULL OR _d.score IS NULL OR isnan(_d.score)
    OR is_blank(_d.query_id) OR is_blank(_d.doc_id);
