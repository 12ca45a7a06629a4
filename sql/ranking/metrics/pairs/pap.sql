-- The probability that one of the first k relevant documents is ranked above one of the first k that are not relevant.
-- name: PAP, PAP@k
-- formula: Σ over the first k relevant documents: max(0, k − documents above that are not relevant) / (k · min(k, R))
-- aliases: pAp
-- relation: judged(rel)
-- k: 1 or more; number of relevant documents, and of those that are not relevant, with or without a judgment. NULL uses
--     the number retrieved
-- range: 0 to 1
-- no relevant: 0
-- aggregate: mean or pooled
-- differs: relevant documents that were not retrieved are below all others, as with RecTools'
--     insufficient_handling='ignore'
-- source: Budhiraja et al. 2020, Rich-Item Recommendations for Rich-Users, arXiv:2001.10495, and Hiranandani et al.
--     2020, Optimization and Analysis of the pAp@k Metric for Recommender Systems, ICML, as in RecTools
CREATE OR REPLACE MACRO pap(j, k BIGINT := NULL) AS
    ratio(
        sum(
            CASE
                WHEN j.hits <= coalesce(k, j.num_ret)
                    THEN j.relevant * greatest(0, coalesce(k, j.num_ret) - (j.rank - j.hits))
            END
        ),
        1e0 * once_per_query(j, coalesce(k, j.num_ret) * least(coalesce(k, j.num_ret), j.num_rel))
    );
