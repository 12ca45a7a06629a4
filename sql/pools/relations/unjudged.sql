-- The documents that runs put among the first and nobody judged.
-- qrels: as for judged; judgments
-- run: as for judged; retrieved documents
-- rel: as for judged; lowest relevance that counts as relevant
-- depth: 1 or more; how far down to look
-- ties: 'descending', 'ascending', 'input' or 'rank'; as for judged; order of documents of the same score
-- refuses: unusable_judgments, unusable_documents, repeated_documents
-- returns run_id, query_id, doc_id: one row each
-- returns rank: of the document by the run
-- returns misses: documents above it by the run that are judged not relevant
-- returns num_runs: runs in the table
-- returns is_judged: 1 if documents of the query are judged, else 0
CREATE OR REPLACE MACRO unjudged(qrels, run, rel DOUBLE := 1, depth BIGINT := 10, ties VARCHAR := 'descending') AS TABLE
SELECT
    _m.run_id,
    _m.query_id,
    _m.doc_id,
    _m.rank,
    _m.misses,
    _n.num_runs,
    CASE WHEN _t.query_id IS NULL THEN 0 ELSE 1 END AS is_judged
FROM (
    SELECT
        _f.run_id,
        _f.query_id,
        _f.doc_id,
        _f.rank,
        _q.relevance,
        count(CASE WHEN _q.relevance >= 0 AND _q.relevance < rel THEN 1 END) OVER (
            PARTITION BY _f.run_id, _f.query_id ORDER BY _f.rank ASC ROWS UNBOUNDED PRECEDING
        ) AS misses
    FROM first_documents(qrels, run, depth, ties) AS _f
    LEFT JOIN judgments(qrels) AS _q
        ON _f.query_id = _q.query_id AND _f.doc_id = _q.doc_id
) AS _m
CROSS JOIN (SELECT count(DISTINCT _d.run_id) AS num_runs FROM retrieved(run) AS _d) AS _n
LEFT JOIN (SELECT DISTINCT _q.query_id FROM judgments(qrels) AS _q) AS _t ON _m.query_id = _t.query_id
WHERE coalesce(_m.relevance, -1) < 0;
