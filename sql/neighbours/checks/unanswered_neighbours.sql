-- Runs that return no neighbour for any query with exact ones.
-- severity: error
-- remedy: compare query_id in both tables
-- exact: as for neighbours; exact neighbours
-- found: as for neighbours; returned neighbours
CREATE OR REPLACE MACRO unanswered_neighbours(exact, found) AS TABLE
SELECT
    _f.run_id,
    concat('run ', _f.run_id, ' has no neighbours for any query with exact ones') AS problem
FROM neighbour_lists(found) AS _f
LEFT JOIN neighbour_lists(exact) AS _e ON _f.query_id = _e.query_id
GROUP BY _f.run_id
HAVING count(_e.query_id) = 0;
