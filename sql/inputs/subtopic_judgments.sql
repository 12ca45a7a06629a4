-- The judgments of documents for each subtopic (intent, aspect) of a query.
-- qrels: table or file with the columns query_id, doc_id, relevance and, optionally, subtopic
-- returns has_subtopic: whether there is a subtopic column
-- returns relevance: NULL if it is not a number
-- returns given_relevance: the value in the table, as text
CREATE OR REPLACE MACRO subtopic_judgments(qrels) AS TABLE
SELECT
    required_text('qrels', 'query_id', _q.query_id, _q._columns) AS query_id,
    coalesce(CAST(_q.subtopic AS VARCHAR), '0') COLLATE C AS subtopic,
    required_text('qrels', 'doc_id', _q.doc_id, _q._columns) AS doc_id,
    NOT is_missing(_q.subtopic) AS has_subtopic,
    required_number('qrels', 'relevance', _q.relevance, _q._columns) AS relevance,
    CAST(_q.relevance AS VARCHAR) AS given_relevance
FROM with_columns(qrels, { 'query_id': NULL, 'subtopic': NULL, 'doc_id': NULL, 'relevance': NULL }) AS _q;
