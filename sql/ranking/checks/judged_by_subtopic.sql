-- Documents judged for several subtopics of a query; only subtopic metrics can use such judgments.
-- severity: warning
-- remedy: keep one judgment per document, or use a metric over subtopics(qrels, run)
-- qrels: as for judged; judgments
-- returns subtopics: number of subtopics
CREATE OR REPLACE MACRO judged_by_subtopic(qrels) AS TABLE
SELECT
    _q.query_id,
    _q.doc_id,
    count(*) AS subtopics,
    concat(document_of(_q.query_id, _q.doc_id), ' is judged for ', count(*), ' subtopics') AS problem
FROM (
    SELECT DISTINCT
        _s.query_id,
        _s.doc_id,
        _s.subtopic
    FROM subtopic_judgments(qrels) AS _s
    WHERE _s.has_subtopic
) AS _q
GROUP BY _q.query_id, _q.doc_id
HAVING count(*) > 1;
