-- Judged queries with no relevant documents; they score 0 whatever is retrieved.
-- severity: warning
-- qrels: as for judged; judgments
-- rel: lowest relevance that counts as relevant
CREATE OR REPLACE MACRO queries_without_relevant(qrels, rel := 1) AS TABLE
SELECT
    _q.query_id,
    concat('query ', coalesce(_q.query_id, 'NULL')) AS problem
FROM judgments(qrels) AS _q
GROUP BY _q.query_id
HAVING max(_q.relevance) < rel;
