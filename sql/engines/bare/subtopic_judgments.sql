-- The judgments of documents for each subtopic (intent, aspect) of a query.
-- qrels: table or file with the columns query_id, doc_id, relevance and, optionally, subtopic
CREATE OR REPLACE MACRO subtopic_judgments(qrels) AS TABLE
SELECT
    CAST(_q.query_id AS VARCHAR) COLLATE C AS query_id,
    coalesce(CAST(_q.subtopic AS VARCHAR), '0') COLLATE C AS subtopic,
    TRUE AS has_subtopic,
    CAST(_q.doc_id AS VARCHAR) COLLATE C AS doc_id,
    CAST(_q.relevance AS DOUBLE) AS relevance
FROM (
    SELECT * FROM query_table(qrels)
    UNION ALL BY NAME
    SELECT CAST(NULL AS VARCHAR) AS subtopic
    WHERE FALSE
) AS _q;
