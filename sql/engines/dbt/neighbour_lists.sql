-- The neighbours that are listed for each query, with their distances.
-- neighbours: relation with the columns run_id, query_id, doc_id, distance
CREATE OR REPLACE MACRO neighbour_lists(neighbours) AS TABLE
SELECT
    coalesce(CAST(_n.run_id AS VARCHAR), 'run') COLLATE C AS run_id,
    CAST(_n.query_id AS VARCHAR) COLLATE C AS query_id,
    CAST(_n.doc_id AS VARCHAR) COLLATE C AS doc_id,
    CAST(_n.distance AS DOUBLE) AS distance,
    CAST(NULL AS DOUBLE) AS listed_rank
FROM query_table(neighbours) AS _n;
