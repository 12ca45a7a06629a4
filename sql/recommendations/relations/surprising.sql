-- Every recommended item of every list, with how likely it was to be shown at its rank, and in a list by popularity.
-- recommended_and_judged: rows of recommended_and_judged
-- items: as for exposed; the items that could be recommended
-- refuses: unusable_items
-- returns run_id, query_id, doc_id: one row each
-- returns rank: 1, 2, … in the list
-- returns relevant: 1 or 0
-- returns chance: (n + 1 − rank) / n, of n items in the catalogue
-- returns popular_chance: the same by the rank of its popularity; 0 if it is not in the history
CREATE OR REPLACE MACRO surprising(recommended_and_judged, items) AS TABLE
SELECT
    _r.run_id,
    _r.query_id,
    _r.doc_id,
    _r.rank,
    _r.relevant,
    (_n.num_items + 1e0 - _r.rank) / _n.num_items AS chance,
    coalesce((_n.num_items + 1e0 - _r.popularity_rank) / _n.num_items, 0e0) AS popular_chance
FROM query_table(recommended_and_judged) AS _r
CROSS JOIN (SELECT count(DISTINCT _c.doc_id) AS num_items FROM listed_items(items) AS _c) AS _n;
