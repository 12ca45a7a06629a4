-- The items that could be recommended, with their groups.
-- items: table or file with the columns doc_id and group_id; an item of several groups
--     has several rows, or one with bars between them or a list
-- returns doc_id, group_id: as text; a row for each, or one where group_id is NULL
-- needs: doc_id, group_id
CREATE OR REPLACE MACRO listed_groups(items) AS TABLE
WITH _given AS (
    SELECT
        CAST(_i.doc_id AS VARCHAR) COLLATE C AS doc_id,
        _i.group_id AS value
    FROM with_columns(items, { 'doc_id': NULL, 'group_id': NULL }) AS _i
)
SELECT
    _v.doc_id,
    _v.value AS group_id
FROM split_values(_given) AS _v;
