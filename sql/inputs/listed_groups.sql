-- The items that could be recommended, with their groups.
-- items: table or file with the columns doc_id and group_id; an item of several groups has several rows
-- returns doc_id, group_id: as text; group_id may be NULL
CREATE OR REPLACE MACRO listed_groups(items) AS TABLE
SELECT
    CAST(require_column('items', 'doc_id', _i.doc_id, _i._columns) AS VARCHAR) COLLATE C AS doc_id,
    CAST(require_column('items', 'group_id', _i.group_id, _i._columns) AS VARCHAR) COLLATE C AS group_id
FROM (
    SELECT
        _t.*,
        struct_keys(_t) AS _columns
    FROM query_table(items) AS _t
    UNION ALL BY NAME
    SELECT
        NULL AS doc_id,
        NULL AS group_id
    WHERE FALSE
) AS _i;
