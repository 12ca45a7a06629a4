-- Every group of items, with how much of it each list shows, which may be nothing.
-- rankings: rows of rankings
-- items: as for exposed, with the column group_id; an item of several groups counts as a part of each
-- k: 1 or more; cut-off rank, or NULL for all
-- discount: 'log', 'clipped', 'reciprocal' or 'none'; how items count by rank: 1 / log2(rank + 1), 1 / log2(rank), but
--     1 at rank 1, 1 / rank or 1
-- refuses: unusable_items, ungrouped_items, unlisted_recommendations
-- returns run_id, query_id, group_id: one row each, of lists with any
-- returns exposure: Σ over the first k items of the group: how they count
-- returns all_exposure: the same of all groups
-- returns num_items: items of the group in the catalogue
-- returns all_items: items of all groups
CREATE OR REPLACE MACRO grouped(rankings, items, k BIGINT := NULL, discount VARCHAR := 'log') AS TABLE
WITH _counted AS (
    SELECT
        _r.run_id,
        _r.query_id,
        _i.group_id,
        _i.part / rank_discount(_r.rank, discount, 2) AS exposure
    FROM query_table(rankings) AS _r
    INNER JOIN item_groups(items) AS _i ON _r.doc_id = _i.doc_id
    WHERE within_k(_r.rank, k)
)
SELECT
    _l.run_id,
    _l.query_id,
    _g.group_id,
    coalesce(_s.exposure, 0e0) AS exposure,
    _l.all_exposure,
    _g.num_items,
    sum(_g.num_items) OVER (PARTITION BY _l.run_id, _l.query_id) AS all_items
FROM (
    SELECT
        _a.run_id,
        _a.query_id,
        exact_sum(_a.exposure) AS all_exposure
    FROM _counted AS _a
    GROUP BY _a.run_id, _a.query_id
) AS _l
CROSS JOIN (SELECT DISTINCT _t.group_id, _t.num_items FROM item_groups(items) AS _t) AS _g
LEFT JOIN (
    SELECT
        _a.run_id,
        _a.query_id,
        _a.group_id,
        exact_sum(_a.exposure) AS exposure
    FROM _counted AS _a
    GROUP BY _a.run_id, _a.query_id, _a.group_id
) AS _s ON _l.run_id = _s.run_id AND _l.query_id = _s.query_id AND _g.group_id = _s.group_id;
