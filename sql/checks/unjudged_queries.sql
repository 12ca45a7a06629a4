-- Queries that a run answers and nobody judged; they are left out.
-- severity: warning
-- says: query {query_id} of run {run_id}
-- qrels: judgments, as for judged
-- run: retrieved documents, as for judged
CREATE OR REPLACE MACRO unjudged_queries(qrels, run) AS TABLE
SELECT
    _c.run_id,
    _c.query_id
FROM coverage(qrels, run) AS _c
WHERE _c.judged = 0;
