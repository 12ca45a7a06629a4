-- Runs that answer none of the judged queries.
-- qrels: judgments, as for judged
-- run: retrieved documents, as for judged
CREATE OR REPLACE MACRO unjudged_runs(qrels, run) AS TABLE
SELECT u.run_id
FROM (SELECT DISTINCT d.run_id, d.query_id FROM retrieved(run) AS d) AS u
LEFT JOIN (SELECT DISTINCT q.query_id FROM judgments(qrels) AS q) AS q ON u.query_id = q.query_id
GROUP BY u.run_id
HAVING count(q.query_id) = 0;
