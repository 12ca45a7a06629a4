-- The probability that a relevant document is ranked above one of the first k documents that are not relevant.
-- name: PartialAUC, PartialAUC@k
-- formula: Σ over relevant documents retrieved: max(0, k − documents above that are not relevant) / (k · R)
-- aliases: pAUC
-- relation: judged(rel)
-- k: 1 or more; number of documents that are not relevant, with or without a judgment. NULL uses the number retrieved
-- range: 0 to 1
-- no relevant: 0
-- aggregate: mean or pooled
-- differs: AUC is over all documents judged not relevant, or over a share of them with max_fpr, and unjudged ones are
--     in no pair there. Relevant documents that were not retrieved are below all others, as with RecTools'
--     insufficient_handling='ignore'
-- source: Hiranandani et al. 2020, Optimization and Analysis of the pAp@k Metric for Recommender Systems, ICML, as in
--     RecTools
CREATE OR REPLACE MACRO partial_auc(j, k BIGINT := NULL) AS
    ratio(
        sum(j.relevant * greatest(0, coalesce(k, j.num_ret) - (j.rank - j.hits))),
        1e0 * once_per_query(j, coalesce(k, j.num_ret) * j.num_rel)
    );
