-- Documents judged more than once for a query, or for a subtopic of it.
-- severity: error
-- remedy: keep one judgment per document; if each is for a subtopic, name the subtopic column subtopic; if each is by
--     another judge, merged_ratings makes one of them
-- qrels: as for judged; judgments
-- returns subtopic: NULL if it is 0 or not given
-- returns times: number of times the document is judged
CREATE OR REPLACE MACRO repeated_judgments(qrels) AS TABLE
SELECT
    _q.query_id,
    _q.doc_id,
    nullif(_q.subtopic, '0') AS subtopic,
    count(*) AS times,
    concat(
        'document ', _q.doc_id, ' is judged ', count(*), ' times for query ', _q.query_id,
        coalesce(' and subtopic ' || nullif(_q.subtopic, '0'), '')
    ) AS problem
FROM subtopic_judgments(qrels) AS _q
WHERE _q.query_id IS NOT NULL AND _q.doc_id IS NOT NULL
GROUP BY _q.query_id, _q.doc_id, _q.subtopic
HAVING count(*) > 1;
