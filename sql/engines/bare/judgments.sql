-- The judgments: how relevant each document is to a query.
-- qrels: table or file with the columns query_id, doc_id, relevance
CREATE OR REPLACE MACRO judgments(qrels) AS TABLE
SELECT
    -- ids are compared as bytes, whatever the default collation of the database
    CAST(_q.query_id AS VARCHAR) COLLATE C AS query_id,
    CAST(_q.doc_id AS VARCHAR) COLLATE C AS doc_id,
    CAST(_q.relevance AS DOUBLE) AS relevance
FROM query_table(qrels) AS _q;
