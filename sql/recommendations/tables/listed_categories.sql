-- The items that could be recommended, with their categories.
-- items: table or file with the columns doc_id and category; an item of several categories
--     has several rows, or one with bars between them or a list
-- returns doc_id, category: as text; a row for each, or one where category is NULL
-- needs: doc_id, category
CREATE OR REPLACE MACRO listed_categories(items) AS TABLE
WITH _given AS (
    SELECT
        CAST(_i.doc_id AS VARCHAR) COLLATE C AS doc_id,
        _i.category AS value
    FROM with_columns(items, { 'doc_id': NULL, 'category': NULL }) AS _i
)
SELECT
    _v.doc_id,
    _v.value AS category
FROM split_values(_given) AS _v;
