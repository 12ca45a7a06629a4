-- Queries that not all runs have.
-- severity: warning
-- run: as for candidates
-- returns queries: how many there are
CREATE OR REPLACE MACRO uncommon_queries(run) AS TABLE
SELECT
    count(*) AS queries,
    concat(
        with_commas(count(*)), CASE WHEN count(*) = 1 THEN ' query is' ELSE ' queries are' END,
        ' not in all runs, and fused from those that have them'
    ) AS problem
FROM (
    SELECT
        _r.query_id,
        count(DISTINCT _r.run_id) AS num_runs
    FROM retrieved(run) AS _r
    GROUP BY _r.query_id
) AS _q
CROSS JOIN (SELECT count(DISTINCT _r.run_id) AS num_runs FROM retrieved(run) AS _r) AS _n
WHERE _q.num_runs < _n.num_runs
HAVING count(*) > 0;
