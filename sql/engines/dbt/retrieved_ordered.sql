-- The retrieved documents with the keys that order documents of the same score.
-- qrels: as for judged; judgments
-- run: as for judged; retrieved documents
-- ties: order of documents of the same score, as for judged; rows of a relation have no order of their own
CREATE OR REPLACE MACRO retrieved_ordered(qrels, run, ties := 'descending') AS TABLE
SELECT
    _p.run_id,
    _p.query_id,
    _p.doc_id,
    _p.score,
    CASE WHEN ties = 'ascending' THEN _p.doc_id ELSE CAST(NULL AS VARCHAR) END AS id_order,
    CASE
        WHEN ties = 'input' THEN error('ties must be ''descending'', ''ascending'', ''rank'', ''best'' or ''worst''')
        ELSE tie_order(ties, _p.listed_rank, 0, _j.relevance, _p.doc_id)
    END AS tie_order
FROM retrieved(run, by_rank := ties = 'rank') AS _p
LEFT JOIN (
    SELECT
        _q.query_id,
        _q.doc_id,
        _q.relevance
    FROM judgments(qrels) AS _q
    WHERE ties IN ('best', 'worst')
) AS _j
    ON _p.query_id = _j.query_id AND _p.doc_id = _j.doc_id;
