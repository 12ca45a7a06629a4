-- Every item of the history, with how popular it is among its users.
-- history: table or file of what users had before: query_id (the user) and doc_id (the item). An item that a user had
--     several times counts once
-- refuses: unusable_history
-- once: doc_id
-- returns doc_id: one row each
-- returns users: users who had the item
-- returns place: 1, 2, … by users ascending, equally popular items by doc_id ascending
-- returns popularity_rank: 1 for the most popular items, 2 for the next number of users, …
-- returns quantile: the mean place of the items with as many users, divided by the number of items
-- returns users_above: the sum of users of the items that come before, by users descending and doc_id ascending
-- returns num_users, num_items, num_interactions: of the history
CREATE OR REPLACE MACRO popularity(history) AS TABLE
SELECT
    _p.doc_id,
    _p.users,
    _p.num_users,
    row_number() OVER (ORDER BY _p.users ASC NULLS LAST, _p.doc_id ASC NULLS LAST) AS place,
    dense_rank() OVER (ORDER BY _p.users DESC NULLS LAST) AS popularity_rank,
    (rank() OVER (ORDER BY _p.users ASC NULLS LAST) + (count(*) OVER (PARTITION BY _p.users) - 1) / 2e0)
    / count(*) OVER () AS quantile,
    sum(_p.users) OVER (
        ORDER BY _p.users DESC NULLS LAST, _p.doc_id ASC NULLS LAST
        ROWS UNBOUNDED PRECEDING
    ) - _p.users AS users_above,
    count(*) OVER () AS num_items,
    sum(_p.users) OVER () AS num_interactions
FROM (
    SELECT
        _i.doc_id,
        count(*) AS users,
        max(_n.num_users) AS num_users
    FROM (SELECT DISTINCT _h.query_id, _h.doc_id FROM interactions(history) AS _h) AS _i
    CROSS JOIN (SELECT count(DISTINCT _h.query_id) AS num_users FROM interactions(history) AS _h) AS _n
    GROUP BY _i.doc_id
) AS _p;
