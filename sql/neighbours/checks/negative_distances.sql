-- Neighbours at a distance below 0; metrics that multiply or divide by distances cannot use them.
-- severity: warning
-- remedy: ask for a recall without relative
-- neighbours: as for neighbour_lists; exact or returned neighbours
-- returns distance: as given
CREATE OR REPLACE MACRO negative_distances(neighbours) AS TABLE
SELECT
    _n.run_id,
    _n.query_id,
    _n.doc_id,
    _n.given_distance AS distance,
    concat(
        'distance ', _n.given_distance, ' of document ', _n.doc_id, ' for query ', _n.query_id,
        ' is below 0, as an inner product may be'
    ) AS problem
FROM neighbour_lists(neighbours) AS _n
WHERE _n.distance < 0;
