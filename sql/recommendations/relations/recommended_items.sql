-- Every item that a run recommends: how many lists have it among their first k, and how high.
-- rankings: rows of rankings
-- k: 1 or more; cut-off rank, or NULL for all
-- groups: run_id
-- once: doc_id
-- returns run_id, doc_id: one row each
-- returns lists: lists that have the item
-- returns first_places: lists that begin with it; their sum is the number of lists
-- returns discounted: the lists that have it, each divided by log2(rank + 1)
-- returns presence: the lists that have it, each divided by the square root of its number of items
CREATE OR REPLACE MACRO recommended_items(rankings, k BIGINT := NULL) AS TABLE
SELECT
    _r.run_id,
    _r.doc_id,
    count(*) AS lists,
    count(CASE WHEN _r.rank = 1 THEN 1 END) AS first_places,
    exact_sum(1e0 / rank_discount(_r.rank, 'log', 2)) AS discounted,
    exact_sum(1e0 / sqrt(1e0 * least(_r.num_ret, coalesce(k, _r.num_ret)))) AS presence
FROM query_table(rankings) AS _r
WHERE within_k(_r.rank, k)
GROUP BY _r.run_id, _r.doc_id;
