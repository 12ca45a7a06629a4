-- Every retrieved document of every run, judged or not, with its rank.
-- run: as for judged; retrieved documents
-- refuses: unusable_documents, repeated_documents
-- returns run_id, query_id, doc_id: one row each, as text; a run without run_id is called 'run'
-- returns score: as given; without a score column, the negative of the rank, or else of the distance
-- returns rank: 1, 2, … by score descending, tied documents by doc_id descending (bytes)
-- returns num_ret: documents that the run retrieved for the query
CREATE OR REPLACE MACRO rankings(run) AS TABLE
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
FROM retrieved(run) AS _r;
