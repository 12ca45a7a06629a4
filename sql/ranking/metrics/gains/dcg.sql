-- The sum of the gains of the first k documents, each divided by a discount that grows with the rank.
-- name: DCG, DCG@k
-- formula: Σ over the first k: gain / log2(rank + 1)
-- aliases: CG with discount='none'
-- relation: judged(gains)
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- gain: 'binary', 'linear' or 'exponential'; gain of a document: 1 if its grade is above 0, its grade, or 2^grade - 1
-- negative: 'zero' or 'raw'; gain of a relevance below 0: nothing, or its own gain, which is negative
-- discount: 'log', 'clipped', 'reciprocal' or 'none'; what divides the gain: log(rank + 1), log(rank) but 1 before rank
--     base (Järvelin), the rank, or nothing
-- base: above 1; base of the logarithm
-- range: 0 to inf
-- no relevant: 0
-- source: Järvelin and Kekäläinen 2002, doi:10.1145/582415.582418; discount of Burges et al. 2005,
--     doi:10.1145/1102351.1102363
CREATE OR REPLACE MACRO dcg(
    j, k BIGINT := NULL, gain VARCHAR := 'linear', negative VARCHAR := 'zero', discount VARCHAR := 'log',
    base DOUBLE := 2
) AS
    discounted_sum(graded_gain(j.grade, gain, negative := negative), j.rank, k, discount, base := base);
