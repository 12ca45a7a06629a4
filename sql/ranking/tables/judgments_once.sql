-- The judged documents of a query, each once, with their highest relevance to any subtopic.
-- qrels: as for subtopics; table or file of judgments
CREATE OR REPLACE MACRO judgments_once(qrels) AS TABLE
SELECT
    _q.query_id,
    _q.doc_id,
    max(_q.relevance) AS relevance
FROM judgments(qrels) AS _q
GROUP BY _q.query_id, _q.doc_id;
