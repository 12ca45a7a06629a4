-- A catalogue in which no item has a category.
-- severity: error
-- column: category
-- remedy: add a column category
-- items: as for exposed
CREATE OR REPLACE MACRO uncategorized_items(items) AS TABLE
SELECT 'no item has a category' AS problem
FROM listed_categories(items) AS _c
HAVING count(_c.category) = 0;
