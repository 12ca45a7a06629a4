-- Documents judged more than once for a query.
-- severity: error
-- says: document {doc_id} stands twice or more for query {query_id}
-- qrels: judgments, as for judged
-- times: how often the document is judged
CREATE OR REPLACE MACRO repeated_judgments(qrels) AS TABLE
SELECT _q.query_id, _q.doc_id, count(*) AS times
FROM judgments(qrels) AS _q
GROUP BY _q.query_id, _q.doc_id
HAVING count(*) > 1;
