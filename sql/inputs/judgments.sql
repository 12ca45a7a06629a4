-- The judgments: how relevant each document is to a query.
-- qrels: table or file with the columns query_id, doc_id, relevance
-- returns relevance: NULL if it is not a number
-- returns given_relevance: the value in the table, as text
CREATE OR REPLACE MACRO judgments(qrels) AS TABLE
SELECT
    _s.query_id,
    _s.doc_id,
    _s.relevance,
    _s.given_relevance
FROM subtopic_judgments(qrels) AS _s;
