-- The arithmetic or geometric mean of precision and recall among the first k; the harmonic one is F.
-- name: MeanPR, MeanPR@k
-- formula: (P + R) / 2, or √(P · R)
-- aliases: GMeasure with mean='geometric'; FowlkesMallows with mean='geometric'
-- relation: judged(rel)
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- mean: 'arithmetic' or 'geometric'; type of mean
-- range: 0 to 1
-- no relevant: 0
-- aggregate: mean or pooled
-- source: Fowlkes and Mallows 1983, doi:10.1080/01621459.1983.10478008
CREATE OR REPLACE MACRO mean_pr_at(j, k BIGINT := NULL, mean VARCHAR := 'arithmetic') AS
    CASE mean
        WHEN 'arithmetic' THEN (precision_at(j, k := k) + recall_at(j, k := k)) / 2
        WHEN 'geometric' THEN sqrt(precision_at(j, k := k) * recall_at(j, k := k))
    END;
