-- The share of the k nearest neighbours that were returned, by their ids; nearer ones count more, wherever they were
--     returned.
-- name: DiscountedRecall@k, DiscountedRecall
-- formula: Σ over the first k returned among the k exact: 1 / log2(exact rank + 1), over Σ over i ≤ k: 1 / log2(i + 1)
-- relation: neighbours
-- k: 1 or more; how many neighbours a query should get, or NULL for all exact ones
-- denominator: as for ann_recall; how many neighbours there should be
-- range: 0 to 1
-- differs: VectorDBBench calls it nDCG, which discounts by the rank of the returned document elsewhere
-- source: VectorDBBench, vectordb_bench/metric.py
CREATE OR REPLACE MACRO discounted_recall(j, k BIGINT := NULL, denominator VARCHAR := 'cutoff') AS
    ratio(
        exact_sum(CASE
            WHEN j.rank <= coalesce(k, j.num_exact) AND j.true_rank <= k_at_most(k, j.num_exact)
                THEN 1e0 / rank_discount(j.true_rank, 'log', 2)
        END),
        exact_sum(CASE
            WHEN j.ideal_rank <= neighbours_wanted(k, j.num_exact, denominator)
                THEN 1e0 / rank_discount(j.ideal_rank, 'log', 2)
        END)
    );
