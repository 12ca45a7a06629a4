-- The judgments: how relevant each document is to a query.
-- qrels: table with the columns query_id, doc_id, relevance; the ids are numbers in the order of the ids
CREATE OR REPLACE MACRO judgments(qrels) AS TABLE
SELECT
    _q.query_id,
    _q.doc_id,
    _q.relevance
FROM query_table(qrels) AS _q;
