-- Documents judged more than once for a query, or for a subtopic of it.
-- severity: error
-- says: document {doc_id} is judged {times} times for query {query_id}
-- remedy: keep one judgment per document; if each is for a subtopic, name the subtopic column subtopic
-- qrels: as for judged; judgments
-- returns subtopic: NULL if it is 0 or not given
-- returns times: number of times the document is judged
CREATE OR REPLACE MACRO repeated_judgments(qrels) AS TABLE
SELECT
    _q.query_id,
    _q.doc_id,
    nullif(_q.subtopic, '0') AS subtopic,
    count(*) AS times
FROM subtopic_judgments(qrels) AS _q
WHERE _q.query_id IS NOT NULL AND _q.doc_id IS NOT NULL
GROUP BY _q.query_id, _q.doc_id, _q.subtopic
HAVING count(*) > 1;
