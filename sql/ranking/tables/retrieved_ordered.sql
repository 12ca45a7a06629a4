-- The retrieved documents with the keys that order documents of the same score.
-- qrels: as for judged; judgments
-- run: as for judged; retrieved documents
-- ties: as for judged; order of documents of the same score
-- returns id_order: the document id where ids are ascending, else NULL
-- returns tie_order: a number compared before the ids, lowest first, or NULL
CREATE OR REPLACE MACRO retrieved_ordered(qrels, run, ties) AS TABLE
SELECT
    _p.run_id,
    _p.query_id,
    _p.doc_id,
    _p.score,
    CASE WHEN ties = 'ascending' THEN _p.doc_id END AS id_order,
    tie_order(ties, _p.listed_rank, _p.input_place, _j.relevance, _p.doc_id) AS tie_order
FROM (
    SELECT
        _d.*,
        CAST(NULL AS BIGINT) AS input_place
    FROM retrieved(run) AS _d
    WHERE ties <> 'input'
    UNION ALL
    -- rows are numbered only if ties need it
    SELECT _n.*
    FROM (
        SELECT
            _d.*,
            row_number() OVER () AS input_place
        FROM retrieved(run) AS _d
    ) AS _n
    WHERE ties = 'input'
) AS _p
LEFT JOIN (
    SELECT
        _q.query_id,
        _q.doc_id,
        _q.relevance
    FROM judgments(qrels) AS _q
    WHERE ties IN ('best', 'worst')
) AS _j
    ON _p.query_id = _j.query_id AND _p.doc_id = _j.doc_id;
