-- Returned neighbours without the rank that others have, so that their place is unknown.
-- severity: error
-- remedy: a column rank needs a number in each row, or remove it
-- neighbours: as for neighbour_lists; returned neighbours
-- column: rank
CREATE OR REPLACE MACRO unranked_neighbours(neighbours) AS TABLE
SELECT
    _n.run_id,
    _n.query_id,
    _n.doc_id,
    concat('no rank for ', document_of(_n.query_id, _n.doc_id)) AS problem
FROM neighbour_lists(neighbours) AS _n
WHERE _n.listed_rank IS NULL;
