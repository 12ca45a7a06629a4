-- The judgments of pools whose documents were drawn at random, with a different probability in each stratum.
-- qrels: table or file with the columns query_id, doc_id, stratum, relevance
-- returns relevance: below 0 for a pooled document that was not drawn
-- returns given_relevance: the value in the table, as text
CREATE OR REPLACE MACRO stratified_judgments(qrels) AS TABLE
SELECT
    required_text('qrels', 'query_id', _q.query_id, _q._columns) AS query_id,
    required_text('qrels', 'doc_id', _q.doc_id, _q._columns) AS doc_id,
    required_text('qrels', 'stratum', _q.stratum, _q._columns) AS stratum,
    required_number('qrels', 'relevance', _q.relevance, _q._columns) AS relevance,
    CAST(_q.relevance AS VARCHAR) AS given_relevance
FROM with_columns(qrels, { 'query_id': NULL, 'doc_id': NULL, 'stratum': NULL, 'relevance': NULL }) AS _q;
