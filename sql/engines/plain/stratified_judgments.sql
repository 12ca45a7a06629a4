-- The judgments of pools whose documents were drawn at random, with a different probability in each stratum.
-- qrels: table with the columns query_id, doc_id, stratum, relevance
CREATE OR REPLACE MACRO stratified_judgments(qrels) AS TABLE
SELECT
    CAST(_q.query_id AS VARCHAR) COLLATE C AS query_id,
    CAST(_q.doc_id AS VARCHAR) COLLATE C AS doc_id,
    CAST(_q.stratum AS VARCHAR) COLLATE C AS stratum,
    CAST(_q.relevance AS DOUBLE) AS relevance
FROM query_table(qrels) AS _q;
