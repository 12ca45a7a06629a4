-- Expected reciprocal rank at which a user who reads from the top is satisfied.
-- name: ERR, ERR@k
-- formula: Σ stop(i) · Π_{j<i} (1 − stop(j)) / i, stop = (2^relevance − 1) / 2^max_rel
-- aliases: expected_reciprocal_rank
-- relation: cascade(max_rel, gain, gains)
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- discount: 'reciprocal', 'log', 'clipped' or 'none'; what stopping at a rank is worth: 1 / rank, 1 / log(rank + 1), 1
--     / log(rank) but 1 before rank base, or 1
-- base: above 1; base of the logarithm
-- aggregate: mean or pooled
-- range: 0 to 1
-- no relevant: 0
-- differs: the highest grade is 4 in gdeval, 3 in Quepid, and the highest of each query in rankeval (max_rel = NULL);
--     RRE gives unjudged documents a grade, 2 by default; the labels of CatBoost are probabilities, as with
--     gain = 'probability'
-- source: Chapelle et al. 2009, doi:10.1145/1645953.1646033
-- most used: 10
CREATE OR REPLACE MACRO err(j, k BIGINT := NULL, discount VARCHAR := 'reciprocal', base DOUBLE := 2) AS
    ratio(discounted_sum(j.reach * j.stop, j.rank, k, discount, base := base), once_per_query(j, 1));
