-- The judgments of documents for each subtopic (intent, aspect) of a query.
-- qrels: table or file with the columns query_id, doc_id, relevance and, optionally, subtopic
-- returns has_subtopic: whether there is a subtopic column
-- returns relevance: NULL if it is not a number
-- returns given_relevance: the value in the table, as text
-- needs: query_id, doc_id, relevance
CREATE OR REPLACE MACRO subtopic_judgments(qrels) AS TABLE
SELECT
    CAST(_q.query_id AS VARCHAR) COLLATE C AS query_id,
    coalesce(CAST(_q.subtopic AS VARCHAR), '0') COLLATE C AS subtopic,
    CAST(_q.doc_id AS VARCHAR) COLLATE C AS doc_id,
    NOT is_missing(_q.subtopic) AS has_subtopic,
    number_or_null(_q.relevance) AS relevance,
    CAST(_q.relevance AS VARCHAR) AS given_relevance
FROM with_columns(qrels, { 'query_id': NULL, 'doc_id': NULL, 'subtopic': NULL, 'relevance': NULL }) AS _q;
