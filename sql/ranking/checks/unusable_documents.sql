-- Retrieved documents that cannot be ranked: they lack a query, document or score, or the score is not a number.
-- severity: error
-- remedy: each row needs a query_id, a doc_id and a numeric score
-- run: as for judged; retrieved documents
-- returns score: as given
CREATE OR REPLACE MACRO unusable_documents(run) AS TABLE
SELECT
    _d.run_id,
    _d.query_id,
    _d.doc_id,
    _d.given_score AS score,
    concat(
        CASE
            WHEN _d.run_id IS NULL THEN concat('no run_id for ', document_of(_d.query_id, _d.doc_id))
            ELSE unusable_value('score', _d.given_score, _d.query_id, _d.doc_id)
        END,
        ' in run ' || nullif(_d.run_id, 'run')
    ) AS problem
FROM retrieved(run) AS _d
WHERE
    _d.run_id IS NULL OR _d.query_id IS NULL OR _d.doc_id IS NULL OR _d.score IS NULL OR not_a_number(_d.score)
    OR is_blank(_d.query_id) OR is_blank(_d.doc_id);
