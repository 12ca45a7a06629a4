-- Runs that answer none of the judged queries.
-- severity: error
-- says: run {run_id}
-- qrels: judgments, as for judged
-- run: retrieved documents, as for judged
CREATE OR REPLACE MACRO unjudged_runs(qrels, run) AS TABLE
SELECT _c.run_id
FROM coverage(qrels, run) AS _c
GROUP BY _c.run_id
HAVING max(_c.judged * _c.answered) = 0;
