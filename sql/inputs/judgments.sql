-- The judgments: how relevant each document is to a query.
-- qrels: table or file with the columns query_id, doc_id, relevance
-- returns relevance: NULL if it is not a number
-- returns given_relevance: the value in the table, as text
CREATE OR REPLACE MACRO judgments(qrels) AS TABLE
SELECT
    -- ids are compared as bytes, whatever the default collation of the database
    required_text('qrels', 'query_id', _q.query_id, _q._columns) AS query_id,
    required_text('qrels', 'doc_id', _q.doc_id, _q._columns) AS doc_id,
    required_number('qrels', 'relevance', _q.relevance, _q._columns) AS relevance,
    CAST(_q.relevance AS VARCHAR) AS given_relevance
FROM with_columns(qrels, { 'query_id': NULL, 'doc_id': NULL, 'relevance': NULL }) AS _q;
