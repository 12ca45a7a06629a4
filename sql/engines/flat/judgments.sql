-- The judgments: how relevant each document is to a query.
-- qrels: table with the columns query_id, doc_id, relevance
CREATE OR REPLACE MACRO judgments(qrels) AS TABLE
SELECT
    -- ids are compared as bytes, whatever the default collation of the database
    CAST(_q.query_id AS VARCHAR) COLLATE C AS query_id,
    CAST(_q.doc_id AS VARCHAR) COLLATE C AS doc_id,
    required_number('qrels', 'relevance', _q.relevance, '') AS relevance,
    CAST(_q.relevance AS VARCHAR) AS given_relevance
FROM query_table(qrels) AS _q;
