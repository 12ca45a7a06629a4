-- The first documents of each run and query.
-- qrels: as for judged; judgments
-- run: as for judged; retrieved documents
-- depth: how far down to look, or NULL for all
-- ties: as for judged
-- returns run_id, query_id, doc_id: one row each
-- returns score, rank: of the document by the run
CREATE OR REPLACE MACRO first_documents(qrels, run, depth, ties) AS TABLE
SELECT *
FROM (
    SELECT
        _o.run_id,
        _o.query_id,
        _o.doc_id,
        _o.score,
        row_number() OVER (
            PARTITION BY _o.run_id, _o.query_id
            ORDER BY
                _o.score DESC NULLS LAST,
                _o.id_order ASC NULLS LAST,
                _o.tie_order ASC NULLS LAST,
                _o.doc_id DESC NULLS LAST
        ) AS rank
    FROM retrieved_ordered(qrels, run, ties) AS _o
) AS _r
-- never empty, so that relations get to refuse a wrong depth
WHERE within_k(_r.rank, CASE WHEN depth < 1 THEN 1 ELSE depth END);
