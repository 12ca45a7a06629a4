-- Queries in a run that have no judgments; they are left out.
-- severity: warning
-- noted: its queries are left out
-- qrels: as for judged; judgments
-- run: as for judged; retrieved documents
CREATE OR REPLACE MACRO unjudged_queries(qrels, run) AS TABLE
SELECT
    _c.run_id,
    _c.query_id,
    concat('query ', _c.query_id, ' of run ', _c.run_id, ' has no judgments') AS problem
FROM query_coverage(qrels, run) AS _c
WHERE _c.judged = 0;
