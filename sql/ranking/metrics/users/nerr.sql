-- ERR divided by that of the best possible ranking: all judged documents by relevance.
-- name: nERR, nERR@k
-- formula: ERR@k / ideal ERR@k
-- relation: cascade(max_rel, gain, gains)
-- k: 1 or more; cut-off rank of both rankings, or NULL for the whole rankings
-- discount: 'reciprocal', 'log', 'clipped' or 'none'; what stopping at a rank is worth: 1 / rank, 1 / log(rank + 1), 1
--     / log(rank) but 1 before rank base, or 1
-- base: above 1; base of the logarithm
-- aggregate: mean or pooled
-- range: 0 to 1
-- no relevant: 0
-- source: Sakai and Song 2011, doi:10.1145/2009916.2010055; Chapelle et al. 2009, doi:10.1145/1645953.1646033
CREATE OR REPLACE MACRO nerr(j, k BIGINT := NULL, discount VARCHAR := 'reciprocal', base DOUBLE := 2) AS
    ratio(
        discounted_sum(j.reach * j.stop, j.rank, k, discount, base := base),
        discounted_sum(j.ideal_reach * j.stop, j.ideal_rank, k, discount, base := base)
    );
