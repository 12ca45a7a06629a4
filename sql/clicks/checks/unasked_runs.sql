-- Runs with no results for any query of the log.
-- severity: error
-- remedy: compare query_id in both tables
-- log: as for clicked
-- run: as for judged; retrieved documents
CREATE OR REPLACE MACRO unasked_runs(log, run) AS TABLE
SELECT
    _d.run_id,
    concat('run ', _d.run_id, ' has no results for any query of the log') AS problem
FROM (SELECT DISTINCT _r.run_id, _r.query_id FROM retrieved(run) AS _r) AS _d
LEFT JOIN (SELECT DISTINCT _s.query_id FROM shown(log) AS _s) AS _q ON _d.query_id = _q.query_id
GROUP BY _d.run_id
HAVING count(_q.query_id) = 0;
