-- The documents that each run retrieved for each query.
-- run: table or file with the columns query_id, doc_id, score, rank or distance and, if it holds several runs, run_id
-- returns score: NULL if it is not a number; without a score column, the negative of the rank, or else of the distance
-- returns given_score: the value in the table, as text
-- returns listed_rank: the rank column, if there is one
-- needs: query_id, doc_id, score or rank or distance
CREATE OR REPLACE MACRO retrieved(run) AS TABLE
SELECT
    text_or(_r.run_id, 'run') AS run_id,
    CAST(_r.query_id AS VARCHAR) COLLATE C AS query_id,
    CAST(_r.doc_id AS VARCHAR) COLLATE C AS doc_id,
    -- a 32-bit score keeps its value, and so the ties that 32 bits create
    CASE
        WHEN is_missing(_r.score) AND NOT is_missing(_r.rank) THEN -TRY_CAST(_r.rank AS DOUBLE)
        WHEN is_missing(_r.score) AND NOT is_missing(_r.distance) THEN -TRY_CAST(_r.distance AS DOUBLE)
        ELSE number_or_null(_r.score)
    END AS score,
    CASE
        WHEN is_missing(_r.score) AND is_missing(_r.rank) THEN CAST(_r.distance AS VARCHAR)
        WHEN is_missing(_r.score) THEN CAST(_r.rank AS VARCHAR)
        ELSE CAST(_r.score AS VARCHAR)
    END AS given_score,
    TRY_CAST(_r.rank AS DOUBLE) AS listed_rank
FROM with_columns(
    run, {
        'run_id': NULL, 'query_id': NULL, 'doc_id': NULL, 'score': NULL, 'rank': NULL, 'distance': NULL
    }
) AS _r;
