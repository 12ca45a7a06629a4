-- The groups of each item, what part of the item each of them has, and how many items of the catalogue.
-- items: as for exposed, with the column group_id
-- returns doc_id, group_id: one row each; items without a group have none
-- returns part: 1 divided by the number of groups of the item
-- returns num_items: the sum of the parts of all items in the group
CREATE OR REPLACE MACRO item_groups(items) AS TABLE
SELECT
    _p.doc_id,
    _p.group_id,
    _p.part,
    sum(_p.part) OVER (PARTITION BY _p.group_id) AS num_items
FROM (
    SELECT
        _g.doc_id,
        _g.group_id,
        1e0 / count(*) OVER (PARTITION BY _g.doc_id) AS part
    FROM (
        SELECT DISTINCT
            _i.doc_id,
            _i.group_id
        FROM listed_groups(items) AS _i
        WHERE _i.group_id IS NOT NULL
    ) AS _g
) AS _p;
