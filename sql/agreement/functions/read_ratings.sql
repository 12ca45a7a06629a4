-- The ratings, ids as text and relevance as numbers.
-- ratings: table or file with the columns query_id, doc_id, judge, relevance
-- returns given_relevance: the value in the table, as text
CREATE OR REPLACE MACRO read_ratings(ratings) AS TABLE
SELECT
    CAST(require_column('ratings', 'query_id', _r.query_id, _r._columns) AS VARCHAR) COLLATE C AS query_id,
    CAST(require_column('ratings', 'doc_id', _r.doc_id, _r._columns) AS VARCHAR) COLLATE C AS doc_id,
    CAST(require_column('ratings', 'judge', _r.judge, _r._columns) AS VARCHAR) COLLATE C AS judge,
    TRY_CAST(require_column('ratings', 'relevance', _r.relevance, _r._columns) AS DOUBLE) AS relevance,
    CAST(_r.relevance AS VARCHAR) AS given_relevance
FROM (
    SELECT
        _t.*,
        struct_keys(_t) AS _columns
    FROM query_table(ratings) AS _t
    UNION ALL BY NAME
    SELECT
        NULL AS query_id,
        NULL AS doc_id,
        NULL AS judge,
        NULL AS relevance
    WHERE FALSE
) AS _r;
