-- The documents that each run retrieved for each query.
-- run: table with the columns query_id, doc_id, score and, optionally, run_id and rank
CREATE OR REPLACE MACRO retrieved(run) AS TABLE
SELECT
    coalesce(CAST(_r.run_id AS VARCHAR), 'run') COLLATE C AS run_id,
    CAST(_r.query_id AS VARCHAR) COLLATE C AS query_id,
    CAST(_r.doc_id AS VARCHAR) COLLATE C AS doc_id,
    CAST(_r.score AS DOUBLE) AS score,
    CAST(_r.score AS VARCHAR) AS given_score,
    TRY_CAST(_r.rank AS DOUBLE) AS listed_rank
FROM with_columns(run, { 'run_id': NULL, 'rank': NULL }) AS _r;
