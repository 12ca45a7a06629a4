-- The neighbours that are listed for each query, with their distances.
-- neighbours: table or file with the columns query_id, doc_id, distance and, optionally, run_id and rank
CREATE OR REPLACE MACRO neighbour_lists(neighbours) AS TABLE
SELECT
    coalesce(CAST(_n.run_id AS VARCHAR), 'run') COLLATE C AS run_id,
    CAST(_n.query_id AS VARCHAR) COLLATE C AS query_id,
    CAST(_n.doc_id AS VARCHAR) COLLATE C AS doc_id,
    CAST(_n.distance AS DOUBLE) AS distance,
    CAST(_n.distance AS VARCHAR) AS given_distance,
    TRY_CAST(_n.rank AS DOUBLE) AS listed_rank
FROM (
    SELECT * FROM query_table(neighbours)
    UNION ALL BY NAME
    SELECT
        CAST(NULL AS VARCHAR) AS run_id,
        CAST(NULL AS DOUBLE) AS rank
    WHERE FALSE
) AS _n;
