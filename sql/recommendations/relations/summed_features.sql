-- Every dimension of the vectors of the items in every list, with the sum of their values.
-- rankings: rows of rankings
-- items: as for exposed, with the column features: a list of numbers, of the same length for all items
-- k: 1 or more; cut-off rank, or NULL for all
-- refuses: unusable_items, unusable_features, unlisted_recommendations
-- returns run_id, query_id, dimension: one row each, of lists with any vector other than 0
-- returns total: the sum of the values of vectors of length 1
-- returns shown: items of the list that have such a vector
CREATE OR REPLACE MACRO summed_features(rankings, items, k BIGINT := NULL) AS TABLE
SELECT
    _r.run_id,
    _r.query_id,
    _f.dimension,
    exact_sum(_f.value) AS total,
    count(*) AS shown
FROM query_table(rankings) AS _r
INNER JOIN item_features(items) AS _f ON _r.doc_id = _f.doc_id
WHERE within_k(_r.rank, k)
GROUP BY _r.run_id, _r.query_id, _f.dimension;
