-- Judged queries that a run does not answer; they score 0 unless only answered queries count.
-- severity: warning
-- says: query {query_id} by run {run_id}
-- qrels: judgments, as for judged
-- run: retrieved documents, as for judged
CREATE OR REPLACE MACRO unanswered_queries(qrels, run) AS TABLE
SELECT
    _c.run_id,
    _c.query_id
FROM coverage(qrels, run) AS _c
WHERE _c.answered = 0;
