-- The mean popularity of the recommended items as a quantile of the items of the history: 1 is the most popular.
-- name: MeanPopRank, MeanPopRank@k
-- formula: mean over the first k: mean place of the items with as many users, the least popular first / items of the
--     history; 0 for an item that is not in it
-- relation: recommended
-- k: 1 or more; cut-off rank, or NULL for the whole list
-- range: 0 to 1
-- better: lower
-- source: Ekstrand and Mahant 2017; lenskit MeanPopRank
CREATE OR REPLACE MACRO mean_pop_rank(j, k BIGINT := NULL) AS
    exact_sum(CASE WHEN within_k(j.rank, k) THEN j.quantile END) / count(CASE WHEN within_k(j.rank, k) THEN 1 END);
