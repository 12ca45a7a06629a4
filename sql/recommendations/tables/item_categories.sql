-- The categories of each item, and what part of the item each of them has.
-- items: as for exposed, with the column category
-- returns doc_id, category: one row each; items without a category have none
-- returns part: 1 divided by the number of categories of the item
CREATE OR REPLACE MACRO item_categories(items) AS TABLE
SELECT
    _c.doc_id,
    _c.category,
    1e0 / count(*) OVER (PARTITION BY _c.doc_id) AS part
FROM (
    SELECT DISTINCT
        _i.doc_id,
        _i.category
    FROM listed_categories(items) AS _i
    WHERE _i.category IS NOT NULL
) AS _c;
