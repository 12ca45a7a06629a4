-- The discounted gain of the ranking, divided by that of the best possible ranking: all judged documents by relevance.
-- name: nDCG, nDCG@k
-- formula: DCG@k / IDCG@k
-- aliases: NDCG
-- relation: judged(gains)
-- k: 1 or more; cut-off rank of both rankings, or NULL for the whole rankings
-- gain: 'binary', 'linear' or 'exponential'; gain of a document: 1 if its grade is above 0, its grade, or 2^grade - 1
-- negative: 'zero' or 'raw'; gain of a relevance below 0: nothing, or its own gain, which is negative
-- discount: 'log', 'clipped', 'reciprocal' or 'none'; what divides the gain: log(rank + 1), log(rank) but 1 before rank
--     base (Järvelin), the rank, or nothing
-- base: above 1; base of the logarithm
-- ideal: as for ideal_dcg
-- range: 0 to 1
-- no relevant: 0
-- aggregate: mean or pooled
-- source: Järvelin and Kekäläinen 2002, doi:10.1145/582415.582418; discount of Burges et al. 2005,
--     doi:10.1145/1102351.1102363
-- most used: 1
CREATE OR REPLACE MACRO ndcg(
    j, k BIGINT := NULL, gain VARCHAR := 'linear', negative VARCHAR := 'zero', discount VARCHAR := 'log',
    base DOUBLE := 2, ideal VARCHAR := 'judged'
) AS
    ratio(
        dcg(j, k := k, gain := gain, negative := negative, discount := discount, base := base),
        ideal_dcg(j, k := k, gain := gain, negative := negative, discount := discount, base := base, ideal := ideal)
    );
