-- The items that could be recommended, as often as the table has them.
-- items: table or file with the column doc_id
CREATE OR REPLACE MACRO listed_items(items) AS TABLE
SELECT CAST(_i.doc_id AS VARCHAR) COLLATE C AS doc_id
FROM query_table(items) AS _i;
