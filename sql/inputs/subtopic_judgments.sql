-- The judgments of documents for each subtopic (intent, aspect) of a query.
-- qrels: table or file with the columns query_id, doc_id, relevance and, optionally, subtopic
-- returns has_subtopic: whether there is a subtopic column
-- returns relevance: NULL if it is not a number
-- returns given_relevance: the value in the table, as text
CREATE OR REPLACE MACRO subtopic_judgments(qrels) AS TABLE
SELECT
    -- ids are compared as bytes, whatever the default collation of the database
    CAST(require_column('qrels', 'query_id', _q.query_id, _q._columns) AS VARCHAR) COLLATE C AS query_id,
    coalesce(CAST(_q.subtopic AS VARCHAR), '0') COLLATE C AS subtopic,
    CAST(require_column('qrels', 'doc_id', _q.doc_id, _q._columns) AS VARCHAR) COLLATE C AS doc_id,
    NOT is_missing(_q.subtopic) AS has_subtopic,
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
        NULL AS subtopic,
        NULL AS doc_id,
        NULL AS relevance
    WHERE FALSE
) AS _q;
