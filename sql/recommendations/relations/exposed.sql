-- Every item of the catalogue, with how much each run shows it, which may be not at all.
-- recommended_items: rows of recommended_items
-- items: table or file of the items that could be recommended, with the column doc_id and, for some metrics, category,
--     group_id and features
-- refuses: unusable_items, unlisted_items
-- groups: run_id
-- once: doc_id
-- all: num_items
-- returns run_id, doc_id: one row each
-- returns lists, discounted: as in recommended_items; 0 for an item that is not recommended
-- returns place, discounted_place: 1, 2, … by these, ascending
-- returns num_items: items of the catalogue
CREATE OR REPLACE MACRO exposed(recommended_items, items) AS TABLE
SELECT
    _e.run_id,
    _e.doc_id,
    _e.lists,
    _e.discounted,
    row_number() OVER (
        PARTITION BY _e.run_id
        ORDER BY _e.lists ASC NULLS LAST, _e.doc_id ASC NULLS LAST
    ) AS place,
    row_number() OVER (
        PARTITION BY _e.run_id
        ORDER BY _e.discounted ASC NULLS LAST, _e.doc_id ASC NULLS LAST
    ) AS discounted_place,
    count(*) OVER (PARTITION BY _e.run_id) AS num_items
FROM (
    SELECT
        _u.run_id,
        _i.doc_id,
        coalesce(_r.lists, 0) AS lists,
        coalesce(_r.discounted, 0e0) AS discounted
    FROM (SELECT DISTINCT _c.doc_id FROM listed_items(items) AS _c) AS _i
    CROSS JOIN (SELECT DISTINCT _s.run_id FROM query_table(recommended_items) AS _s) AS _u
    LEFT JOIN query_table(recommended_items) AS _r ON _u.run_id = _r.run_id AND _i.doc_id = _r.doc_id
) AS _e;
