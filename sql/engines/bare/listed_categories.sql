-- The items that could be recommended, with their categories.
-- items: table or file with the columns doc_id and category; an item of several categories has several rows
CREATE OR REPLACE MACRO listed_categories(items) AS TABLE
SELECT
    CAST(_i.doc_id AS VARCHAR) COLLATE C AS doc_id,
    CAST(_i.category AS VARCHAR) COLLATE C AS category
FROM query_table(items) AS _i;
