-- The exact nearest neighbours that are listed for each query, with their distances.
-- exact: relation with the columns query_id, doc_id, distance
CREATE OR REPLACE MACRO exact_neighbours(exact) AS TABLE
SELECT
    CAST(_n.query_id AS VARCHAR) COLLATE C AS query_id,
    CAST(_n.doc_id AS VARCHAR) COLLATE C AS doc_id,
    CAST(_n.distance AS DOUBLE) AS distance
FROM query_table(exact) AS _n;
