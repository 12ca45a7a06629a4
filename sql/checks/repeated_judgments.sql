-- Documents judged more than once for a query, or for a subtopic of it.
-- severity: error
-- says: document {doc_id} stands twice or more for query {query_id}
-- qrels: judgments, as for judged
-- subtopic: NULL where it is 0, or not given
-- times: how often the document is judged
CREATE OR REPLACE MACRO repeated_judgments(qrels) AS TABLE
SELECT
    _q.query_id,
    _q.doc_id,
    nullif(_q.subtopic, '0') AS subtopic,
    count(*) AS times
FROM subtopic_judgments(qrels) AS _q
GROUP BY _q.query_id, _q.doc_id, _q.subtopic
HAVING count(*) > 1;
