-- The items that could be recommended, with their categories.
-- items: table or file with the columns doc_id and category; an item of several categories has several rows
-- returns doc_id, category: as text; category may be NULL
CREATE OR REPLACE MACRO listed_categories(items) AS TABLE
SELECT
    CAST(require_column('items', 'doc_id', _i.doc_id, _i._columns) AS VARCHAR) COLLATE C AS doc_id,
    CAST(require_column('items', 'category', _i.category, _i._columns) AS VARCHAR) COLLATE C AS category
FROM (
    SELECT
        _t.*,
        struct_keys(_t) AS _columns
    FROM query_table(items) AS _t
    UNION ALL BY NAME
    SELECT
        NULL AS doc_id,
        NULL AS category
    WHERE FALSE
) AS _i;
