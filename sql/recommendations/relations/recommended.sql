-- Every recommended item of every list, with how popular it is.
-- rankings: rows of rankings
-- popularity: rows of popularity
-- returns run_id, query_id, doc_id: one row each
-- returns rank: 1, 2, … in the list
-- returns num_ret: items of the list
-- returns users: users who had the item; 0 if it is not in the history
-- returns place, popularity_rank: as in popularity; NULL if it is not in the history
-- returns quantile: as in popularity; 0 if it is not in the history
-- returns num_users, num_items: of the history
CREATE OR REPLACE MACRO recommended(rankings, popularity) AS TABLE
SELECT
    _r.run_id,
    _r.query_id,
    _r.doc_id,
    _r.rank,
    _r.num_ret,
    coalesce(_p.users, 0) AS users,
    _p.place,
    _p.popularity_rank,
    coalesce(_p.quantile, 0e0) AS quantile,
    _n.num_users,
    _n.num_items
FROM query_table(rankings) AS _r
LEFT JOIN query_table(popularity) AS _p ON _r.doc_id = _p.doc_id
CROSS JOIN (
    SELECT
        max(_h.num_users) AS num_users,
        max(_h.num_items) AS num_items
    FROM query_table(popularity) AS _h
) AS _n;
