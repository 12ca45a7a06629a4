-- The items that could be recommended, with their groups.
-- items: table or file with the columns doc_id and group_id; an item of several groups has several rows
CREATE OR REPLACE MACRO listed_groups(items) AS TABLE
SELECT
    CAST(_i.doc_id AS VARCHAR) COLLATE C AS doc_id,
    CAST(_i.group_id AS VARCHAR) COLLATE C AS group_id
FROM query_table(items) AS _i;
