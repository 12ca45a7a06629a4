-- The items that could be recommended, with their categories.
-- items: table or file with the columns doc_id and category; an item of several categories has several rows
-- returns doc_id, category: as text; category may be NULL
CREATE OR REPLACE MACRO listed_categories(items) AS TABLE
SELECT
    required_text('items', 'doc_id', _i.doc_id, _i._columns) AS doc_id,
    required_text('items', 'category', _i.category, _i._columns) AS category
FROM with_columns(items, { 'doc_id': NULL, 'category': NULL }) AS _i;
