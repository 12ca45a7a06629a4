-- A catalogue in which no item has a group_id.
-- severity: error
-- column: group_id
-- remedy: add a column group_id
-- items: as for exposed
CREATE OR REPLACE MACRO ungrouped_items(items) AS TABLE
SELECT 'no item has a group_id' AS problem
FROM listed_groups(items) AS _c
HAVING count(_c.group_id) = 0;
