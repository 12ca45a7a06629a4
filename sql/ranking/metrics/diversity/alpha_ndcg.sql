-- The discounted gain of the subtopics covered, reduced each time one is covered again, divided by that of a greedily
--     built ideal ranking, which is rarely surpassed.
-- name: alpha_nDCG, alpha_nDCG@k
-- formula: Σ over the first k: gain / log2(rank + 1), over the same of the ideal ranking, gain = Σ over subtopics: (1 −
--     α)^times covered above
-- aliases: α_nDCG; α-nDCG; alpha-nDCG
-- relation: greedy(alpha, rel)
-- k: 1 or more; cut-off rank of both rankings, or NULL for the whole rankings
-- range: 0 to 1.582
-- no relevant: 0
-- aggregate: mean or pooled
-- differs: pyndeval and ir_measures support cut-offs up to 20; ir_measures returns 0 for the second alpha of a call
-- source: Clarke et al. 2008, doi:10.1145/1390334.1390446
CREATE OR REPLACE MACRO alpha_ndcg(j, k BIGINT := NULL) AS
    ratio(discounted_sum(j.gain, j.rank, k, 'log'), discounted_sum(j.greedy_gain, j.greedy_rank, k, 'log'));
