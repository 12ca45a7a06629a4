-- Runs that answer none of the judged queries.
-- qrels: judgments, as for judged
-- run: retrieved documents, as for judged
CREATE OR REPLACE MACRO unjudged_runs(qrels, run) AS TABLE
SELECT _u.run_id
FROM (SELECT DISTINCT _d.run_id, _d.query_id FROM retrieved(run) AS _d) AS _u
LEFT JOIN (SELECT DISTINCT _q.query_id FROM judgments(qrels) AS _q) AS _q ON _u.query_id = _q.query_id
GROUP BY _u.run_id
HAVING count(_q.query_id) = 0;
