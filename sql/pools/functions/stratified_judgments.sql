-- The judgments of pools whose documents were drawn at random, with a different probability in each stratum.
-- qrels: table or file with the columns query_id, doc_id, stratum, relevance
-- returns relevance: below 0 for a pooled document that was not drawn
-- returns given_relevance: the value in the table, as text
CREATE OR REPLACE MACRO stratified_judgments(qrels) AS TABLE
SELECT
    CAST(require_column('qrels', 'query_id', _q.query_id, _q._columns) AS VARCHAR) COLLATE C AS query_id,
    CAST(require_column('qrels', 'doc_id', _q.doc_id, _q._columns) AS VARCHAR) COLLATE C AS doc_id,
    CAST(require_column('qrels', 'stratum', _q.stratum, _q._columns) AS VARCHAR) COLLATE C AS stratum,
    TRY_CAST(require_column('qrels', 'relevance', _q.relevance, _q._columns) AS DOUBLE) AS relevance,
    CAST(_q.relevance AS VARCHAR) AS given_relevance
FROM (
    SELECT
        _t.*,
        struct_keys(_t) AS _columns
    FROM query_table(qrels) AS _t
    UNION ALL BY NAME
    SELECT
        NULL AS query_id,
        NULL AS doc_id,
        NULL AS stratum,
        NULL AS relevance
    WHERE FALSE
) AS _q;
