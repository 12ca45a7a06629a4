-- The judgments: how relevant each document is to a query.
-- qrels: table or file with the columns query_id, doc_id, relevance
-- returns relevance: NULL if it is not a number
-- returns given_relevance: the value in the table, as text
-- needs: query_id, doc_id, relevance
CREATE OR REPLACE MACRO judgments(qrels) AS TABLE
SELECT
    -- ids are compared as bytes, whatever the default collation of the database
    CAST(_q.query_id AS VARCHAR) COLLATE C AS query_id,
    CAST(_q.doc_id AS VARCHAR) COLLATE C AS doc_id,
    number_or_null(_q.relevance) AS relevance,
    CAST(_q.relevance AS VARCHAR) AS given_relevance
FROM with_columns(qrels, { 'query_id': NULL, 'doc_id': NULL, 'relevance': NULL }) AS _q;
