-- Neighbours that appear more than once for a query; recall would count them each time.
-- severity: error
-- remedy: keep each neighbour once per query; if the table holds several runs, name the run column run_id
-- neighbours: as for neighbour_lists; exact or returned neighbours
-- returns times: number of times the neighbour appears
CREATE OR REPLACE MACRO repeated_neighbours(neighbours) AS TABLE
SELECT
    _n.run_id,
    _n.query_id,
    _n.doc_id,
    count(*) AS times,
    concat(
        'neighbour ', _n.doc_id, ' appears ', count(*), ' times for query ', _n.query_id, nothing_found(_n.doc_id)
    ) AS problem
FROM neighbour_lists(neighbours) AS _n
WHERE _n.query_id IS NOT NULL AND _n.doc_id IS NOT NULL
GROUP BY _n.run_id, _n.query_id, _n.doc_id
HAVING count(*) > 1;
