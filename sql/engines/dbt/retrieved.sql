-- The documents that each run retrieved for each query.
-- run: relation with the columns run_id, query_id, doc_id, score and, for ties by rank, rank
CREATE OR REPLACE MACRO retrieved(run, by_rank := FALSE) AS TABLE
SELECT
    coalesce(CAST(_r.run_id AS VARCHAR), 'run') COLLATE C AS run_id,
    CAST(_r.query_id AS VARCHAR) COLLATE C AS query_id,
    CAST(_r.doc_id AS VARCHAR) COLLATE C AS doc_id,
    exact_score(_r.score) AS score,
    CASE WHEN by_rank THEN CAST(_r.rank AS DOUBLE) ELSE CAST(NULL AS DOUBLE) END AS listed_rank
FROM query_table(run) AS _r;
