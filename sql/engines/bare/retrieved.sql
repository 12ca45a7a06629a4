-- The documents that each run retrieved for each query.
-- run: table or file with the columns query_id, doc_id, score and, optionally, run_id and rank
CREATE OR REPLACE MACRO retrieved(run) AS TABLE
SELECT
    coalesce(CAST(_r.run_id AS VARCHAR), 'run') COLLATE C AS run_id,
    CAST(_r.query_id AS VARCHAR) COLLATE C AS query_id,
    CAST(_r.doc_id AS VARCHAR) COLLATE C AS doc_id,
    CAST(_r.score AS DOUBLE) AS score,
    TRY_CAST(_r.rank AS DOUBLE) AS listed_rank
FROM (
    SELECT * FROM query_table(run)
    UNION ALL BY NAME
    SELECT
        CAST(NULL AS VARCHAR) AS run_id,
        CAST(NULL AS DOUBLE) AS rank
    WHERE FALSE
) AS _r;
