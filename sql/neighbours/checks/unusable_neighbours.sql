-- Neighbours that cannot be compared: they lack a query, document or distance, or the distance is not a number.
-- severity: error
-- remedy: each row needs a query_id, a doc_id and a finite number as distance
-- neighbours: as for neighbour_lists; exact or returned neighbours
-- returns distance: as given
CREATE OR REPLACE MACRO unusable_neighbours(neighbours) AS TABLE
SELECT
    _n.run_id,
    _n.query_id,
    _n.doc_id,
    _n.given_distance AS distance,
    CASE
        WHEN _n.run_id IS NULL THEN concat('no run_id for ', document_of(_n.query_id, _n.doc_id))
        ELSE unusable_value('distance', _n.given_distance, _n.query_id, _n.doc_id)
    END AS problem
FROM neighbour_lists(neighbours) AS _n
WHERE
    _n.run_id IS NULL OR _n.query_id IS NULL OR _n.doc_id IS NULL OR _n.distance IS NULL
    OR NOT isfinite(_n.distance)
    OR is_blank(_n.query_id) OR is_blank(_n.doc_id);
