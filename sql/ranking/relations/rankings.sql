-- Every retrieved document of every run, judged or not, with its rank.
-- run: as for judged; retrieved documents
-- depth: as for judged; number of documents to keep per query
-- refuses: unusable_documents, repeated_documents
-- returns run_id, query_id, doc_id: one row each, as text; a run without run_id is called 'run'
-- returns score: as given; without a score column, the negative of the rank, or else of the distance
-- returns rank: 1, 2, … by score descending, tied documents by doc_id descending (bytes)
-- returns num_ret: documents that the run retrieved for the query, no more than depth
CREATE OR REPLACE MACRO rankings(run, depth BIGINT := NULL) AS TABLE
SELECT
    _d.run_id,
    _d.query_id,
    _d.doc_id,
    _d.score,
    _d.rank,
    CASE WHEN within_k(_d.num_ret, depth) THEN _d.num_ret ELSE depth END AS num_ret
FROM (
    SELECT
        _r.run_id,
        _r.query_id,
        _r.doc_id,
        _r.score,
        row_number() OVER (
            PARTITION BY _r.run_id, _r.query_id
            ORDER BY _r.score DESC NULLS LAST, _r.doc_id DESC NULLS LAST
        ) AS rank,
        count(*) OVER (PARTITION BY _r.run_id, _r.query_id) AS num_ret
    FROM retrieved(run) AS _r
) AS _d
WHERE within_k(_d.rank, depth);
