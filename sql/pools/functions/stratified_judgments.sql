-- The judgments of pools whose documents were drawn at random, with a different probability in each stratum.
-- qrels: table or file with the columns query_id, doc_id, stratum, relevance
-- returns relevance: below 0 for a pooled document that was not drawn
-- returns given_relevance: the value in the table, as text
-- needs: query_id, doc_id, stratum, relevance
CREATE OR REPLACE MACRO stratified_judgments(qrels) AS TABLE
SELECT
    CAST(_q.query_id AS VARCHAR) COLLATE C AS query_id,
    CAST(_q.doc_id AS VARCHAR) COLLATE C AS doc_id,
    CAST(_q.stratum AS VARCHAR) COLLATE C AS stratum,
    number_or_null(_q.relevance) AS relevance,
    CAST(_q.relevance AS VARCHAR) AS given_relevance
FROM with_columns(qrels, { 'query_id': NULL, 'doc_id': NULL, 'stratum': NULL, 'relevance': NULL }) AS _q;
