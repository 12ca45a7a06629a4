-- What users had before: which user had which item.
-- history: table or file with the columns query_id (the user) and doc_id (the item)
-- returns query_id, doc_id: as text; as often as in the table
CREATE OR REPLACE MACRO interactions(history) AS TABLE
SELECT
    CAST(require_column('history', 'query_id', _h.query_id, _h._columns) AS VARCHAR) COLLATE C AS query_id,
    CAST(require_column('history', 'doc_id', _h.doc_id, _h._columns) AS VARCHAR) COLLATE C AS doc_id
FROM (
    SELECT
        _t.*,
        struct_keys(_t) AS _columns
    FROM query_table(history) AS _t
    UNION ALL BY NAME
    SELECT
        NULL AS query_id,
        NULL AS doc_id
    WHERE FALSE
) AS _h;
