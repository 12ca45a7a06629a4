-- Every category of every list, with how many of the first k items have it.
-- rankings: rows of rankings
-- items: as for exposed, with the column category
-- k: 1 or more; cut-off rank, or NULL for all
-- refuses: unusable_items, uncategorized_items, unlisted_recommendations
-- returns run_id, query_id, category: one row each, of lists with any
-- returns shown: items of the list that have the category
-- returns parts: the same, each divided by the number of its categories; their sum is the number of items with any
-- returns weight: the same, each divided by the square root of this number
-- returns size: k, or the length of the list
CREATE OR REPLACE MACRO shown_categories(rankings, items, k BIGINT := NULL) AS TABLE
SELECT
    _r.run_id,
    _r.query_id,
    _c.category,
    count(*) AS shown,
    exact_sum(_c.part) AS parts,
    exact_sum(sqrt(_c.part)) AS weight,
    max(coalesce(k, _r.num_ret)) AS size
FROM query_table(rankings) AS _r
INNER JOIN item_categories(items) AS _c ON _r.doc_id = _c.doc_id
WHERE within_k(_r.rank, k)
GROUP BY _r.run_id, _r.query_id, _c.category;
