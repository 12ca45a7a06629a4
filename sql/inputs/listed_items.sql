-- The items that could be recommended, as often as the table has them.
-- items: table or file with the column doc_id
CREATE OR REPLACE MACRO listed_items(items) AS TABLE
SELECT CAST(require_column('items', 'doc_id', _i.doc_id, _i._columns) AS VARCHAR) COLLATE C AS doc_id
FROM (
    SELECT
        _t.*,
        struct_keys(_t) AS _columns
    FROM query_table(items) AS _t
    UNION ALL BY NAME
    SELECT NULL AS doc_id
    WHERE FALSE
) AS _i;
