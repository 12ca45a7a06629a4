-- Runs with no results for any judged query.
-- severity: error
-- remedy: compare query_id in both tables
-- qrels: as for judged; judgments
-- run: as for judged; retrieved documents
CREATE OR REPLACE MACRO unjudged_runs(qrels, run) AS TABLE
SELECT
    _d.run_id,
    concat('run ', _d.run_id, ' has no results for any judged query') AS problem
FROM (SELECT DISTINCT _r.run_id, _r.query_id FROM retrieved(run) AS _r) AS _d
LEFT JOIN (SELECT DISTINCT _j.query_id FROM judgments(qrels) AS _j) AS _q
    ON _d.query_id = _q.query_id
GROUP BY _d.run_id
HAVING count(_q.query_id) = 0;
