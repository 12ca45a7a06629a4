-- Every category that a user had, with its share in the user's history and in the list.
-- rankings: rows of rankings
-- history: as for popularity; what users had before
-- items: as for exposed, with the column category; an item of several categories counts as a part of each
-- k: 1 or more; cut-off rank, or NULL for all
-- discount: 'log', 'reciprocal' or 'none'; how items count by rank: 1 / log2(rank + 1), 1 / rank or 1
-- refuses: unusable_history, unusable_items, uncategorized_items, unlisted_recommendations
-- returns run_id, query_id, category: one row each, of users who had a category and whose list has any
-- returns wanted: the share of the category in the history
-- returns shown: its share in the first k items of the list
CREATE OR REPLACE MACRO calibrated(
    rankings, history, items, k BIGINT := NULL, discount VARCHAR := 'log'
) AS TABLE
WITH _counted AS (
    SELECT
        _r.run_id,
        _r.query_id,
        _c.category,
        _c.part / rank_discount(_r.rank, discount, 2) AS weight
    FROM query_table(rankings) AS _r
    INNER JOIN item_categories(items) AS _c ON _r.doc_id = _c.doc_id
    WHERE within_k(_r.rank, k)
)
SELECT
    _l.run_id,
    _l.query_id,
    _w.category,
    _w.weight / _w.all_weight AS wanted,
    coalesce(_s.weight, 0e0) / _l.weight AS shown
FROM (
    SELECT
        _a.run_id,
        _a.query_id,
        exact_sum(_a.weight) AS weight
    FROM _counted AS _a
    GROUP BY _a.run_id, _a.query_id
) AS _l
INNER JOIN (
    SELECT
        _t.query_id,
        _t.category,
        _t.weight,
        sum(_t.weight) OVER (PARTITION BY _t.query_id) AS all_weight
    FROM (
        SELECT
            _h.query_id,
            _c.category,
            exact_sum(_c.part) AS weight
        FROM (SELECT DISTINCT _i.query_id, _i.doc_id FROM interactions(history) AS _i) AS _h
        INNER JOIN item_categories(items) AS _c ON _h.doc_id = _c.doc_id
        GROUP BY _h.query_id, _c.category
    ) AS _t
) AS _w ON _l.query_id = _w.query_id
LEFT JOIN (
    SELECT
        _a.run_id,
        _a.query_id,
        _a.category,
        exact_sum(_a.weight) AS weight
    FROM _counted AS _a
    GROUP BY _a.run_id, _a.query_id, _a.category
) AS _s ON _l.run_id = _s.run_id AND _l.query_id = _s.query_id AND _w.category = _s.category;
