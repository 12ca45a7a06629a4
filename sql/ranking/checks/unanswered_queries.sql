-- Judged queries for which a run has no results; they score 0 unless only answered queries count.
-- severity: warning
-- qrels: as for judged; judgments
-- run: as for judged; retrieved documents
CREATE OR REPLACE MACRO unanswered_queries(qrels, run) AS TABLE
SELECT
    _c.run_id,
    _c.query_id,
    concat('run ', _c.run_id, ' has no results for query ', _c.query_id) AS problem
FROM query_coverage(qrels, run) AS _c
WHERE _c.has_results = 0;
