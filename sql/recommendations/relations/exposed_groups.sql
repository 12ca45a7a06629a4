-- Every group of items, with how much each run shows it in all lists together.
-- grouped: rows of grouped
-- groups: run_id
-- once: group_id
-- returns run_id, group_id: one row each
-- returns exposure: the sum of that of all lists
-- returns num_items: items of the group in the catalogue
CREATE OR REPLACE MACRO exposed_groups(grouped) AS TABLE
SELECT
    _g.run_id,
    _g.group_id,
    exact_sum(_g.exposure) AS exposure,
    max(_g.num_items) AS num_items
FROM query_table(grouped) AS _g
GROUP BY _g.run_id, _g.group_id;
