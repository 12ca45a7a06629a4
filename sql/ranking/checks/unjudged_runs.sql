-- Runs with no results for any judged query.
-- severity: error
-- remedy: compare query_id in both tables
-- qrels: as for judged; judgments
-- run: as for judged; retrieved documents
CREATE OR REPLACE MACRO unjudged_runs(qrels, run) AS TABLE
SELECT
    _c.run_id,
    concat('run ', _c.run_id, ' has no results for any judged query') AS problem
FROM query_coverage(qrels, run) AS _c
GROUP BY _c.run_id
HAVING max(_c.judged * _c.has_results) = 0;
