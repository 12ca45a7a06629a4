-- The judgments of documents for each subtopic (intent, aspect) of a query.
-- qrels: table with the columns query_id, doc_id, relevance and, optionally, subtopic; the ids are numbers in the order
--     of the ids
CREATE OR REPLACE MACRO subtopic_judgments(qrels) AS TABLE
SELECT
    _q.query_id,
    coalesce(_q.subtopic, '0') COLLATE C AS subtopic,
    TRUE AS has_subtopic,
    _q.doc_id,
    _q.relevance
FROM (
    SELECT * FROM query_table(qrels)
    UNION ALL BY NAME
    SELECT CAST(NULL AS VARCHAR) AS subtopic
    WHERE FALSE
) AS _q;
