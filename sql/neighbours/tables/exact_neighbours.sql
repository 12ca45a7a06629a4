-- The exact nearest neighbours that are listed for each query, with their distances.
-- exact: table or file with the columns query_id, doc_id, distance
CREATE OR REPLACE MACRO exact_neighbours(exact) AS TABLE
SELECT
    _n.query_id,
    _n.doc_id,
    _n.distance
FROM neighbour_lists(exact) AS _n;
