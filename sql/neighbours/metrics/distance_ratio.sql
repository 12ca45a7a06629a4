-- How much further the returned neighbours are than the exact ones, rank by rank.
-- name: DistanceRatio@k, DistanceRatio
-- formula: Σ d / Σ d(exact neighbour of the same rank), over the first k returned; 1 if both are 0
-- aliases: RelativeDistance
-- relation: neighbours
-- k: 1 or more; how many neighbours to compare, or NULL for all
-- range: 0 to ∞
-- better: lower
-- aggregate: mean or pooled
-- differs: NULL if nothing was returned, or if only the exact distances are 0; ann-benchmarks takes all queries
--     together
-- source: ann-benchmarks, ann_benchmarks/plotting/metrics.py
CREATE OR REPLACE MACRO distance_ratio(j, k BIGINT := NULL) AS
    CASE
        WHEN min(coalesce(j.distance, j.ideal_distance)) < 0
            THEN error(concat(
                'distances below 0, such as ', min(coalesce(j.distance, j.ideal_distance)),
                ', have no ratio; use another metric'
            ))
        WHEN max(CASE WHEN j.rank <= k_at_most(k, j.num_exact) THEN j.distance END) = 0
            AND coalesce(max(CASE WHEN j.ideal_rank <= k_at_most(k, j.num_ret) THEN j.ideal_distance END), 0) = 0
            THEN 1e0
        ELSE
            exact_sum(CASE WHEN j.rank <= k_at_most(k, j.num_exact) THEN j.distance END)
            / nullif(exact_sum(CASE WHEN j.ideal_rank <= k_at_most(k, j.num_ret) THEN j.ideal_distance END), 0)
    END;
