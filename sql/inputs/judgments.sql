-- The judgments: how relevant a document is to a query.
-- qrels: table or file with the columns query_id, doc_id, relevance
CREATE OR REPLACE MACRO judgments(qrels) AS TABLE
SELECT
    CAST(q.query_id AS VARCHAR) AS query_id,
    CAST(q.doc_id AS VARCHAR) AS doc_id,
    CAST(q.relevance AS DOUBLE) AS relevance
FROM query_table(qrels) AS q;
