-- The highest recall at a rank where precision is p or more.
-- name: RecallAtPrecision, RecallAtPrecision@k
-- formula: max recall@i over ranks i ≤ k with P@i ≥ p
-- relation: judged(rel)
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- p: from 0 to 1; precision required
-- range: 0 to 1
-- no relevant: 0
-- differs: torchmetrics averages precision and recall at each rank over all queries before it takes the highest recall
-- source: torchmetrics
CREATE OR REPLACE MACRO recall_at_precision(j, k BIGINT := NULL, p DOUBLE := 8e-1) AS
    coalesce(
        max(CASE WHEN within_k(j.rank, k) AND precision_at_rank(j) >= p THEN ratio(j.hits, j.num_rel) END),
        0e0
    );
