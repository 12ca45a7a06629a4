-- The documents that each run retrieved for each query.
-- run: table or file with the columns query_id, doc_id, score and, when it holds several runs, run_id
CREATE OR REPLACE MACRO retrieved(run) AS TABLE
SELECT
    coalesce(CAST(_r.run_id AS VARCHAR), 'run') COLLATE C AS run_id,
    CAST(_r.query_id AS VARCHAR) COLLATE C AS query_id,
    CAST(_r.doc_id AS VARCHAR) COLLATE C AS doc_id,
    -- a 32-bit score keeps its value, and with it the ties that 32 bits make
    CAST(_r.score AS DOUBLE) AS score
FROM (
    SELECT * FROM query_table(run)
    UNION ALL BY NAME
    SELECT CAST(NULL AS VARCHAR) AS run_id
    WHERE FALSE
) AS _r;
