-- The share of the first k returned neighbours that are near: no further than the k-th exact one and a tolerance.
-- name: ANNRecall@k, ANNRecall
-- formula: |{d ≤ d(k-th exact neighbour) + ε, of the first k returned}| / k
-- aliases: DistanceRecall
-- relation: neighbours(epsilon, relative)
-- k: 1 or more; how many neighbours a query should get, or NULL for all exact ones
-- denominator: 'cutoff' or 'achievable'; what to divide by: k, which refuses a query with fewer exact neighbours, or
--     these where they are fewer, as those that pass a filter may be; of those returned, only as many count
-- range: 0 to 1
-- aggregate: mean or pooled
-- differs: by ids it is IDRecall; tools of retrieval divide by all relevant documents, as R
-- source: ann-benchmarks, ann_benchmarks/plotting/metrics.py
CREATE OR REPLACE MACRO ann_recall(j, k BIGINT := NULL, denominator VARCHAR := 'cutoff') AS
    ratio(
        count(CASE
            WHEN j.rank <= k_at_most(k, j.num_exact) AND j.near_from <= k_at_most(k, j.num_exact) THEN 1
        END),
        once_per_query(j, neighbours_wanted(k, j.num_exact, denominator))
    );
