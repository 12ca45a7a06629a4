-- The items that could be recommended, with their groups.
-- items: table or file with the columns doc_id and group_id; an item of several groups has several rows
-- returns doc_id, group_id: as text; group_id may be NULL
CREATE OR REPLACE MACRO listed_groups(items) AS TABLE
SELECT
    required_text('items', 'doc_id', _i.doc_id, _i._columns) AS doc_id,
    required_text('items', 'group_id', _i.group_id, _i._columns) AS group_id
FROM with_columns(items, { 'doc_id': NULL, 'group_id': NULL }) AS _i;
