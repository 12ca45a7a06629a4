-- The highest recall at a rank where precision is p or more.
-- name: RecallAtPrecision, RecallAtPrecision@k
-- formula: max recall@i over ranks i ≤ k with P@i ≥ p
-- torchmetrics: RetrievalRecallAtFixedPrecision(min_precision={p}); RetrievalRecallAtFixedPrecision(min_precision={p}, max_k={k})
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking
-- p: number from 0 to 1; the precision that is asked for
-- range: 0 to 1
-- empty: 0
-- differs: torchmetrics averages precision and recall at each rank over all queries before it looks for the highest recall
-- source: torchmetrics
CREATE OR REPLACE MACRO recall_at_precision(j, k := NULL, p := 8e-1) AS
    coalesce(
        max(
            CASE
                WHEN j.rank <= coalesce(k, j.rank) AND j.relevant = 1 AND 1e0 * j.hits / j.rank >= p
                    THEN 1e0 * j.hits / j.num_rel
            END
        ),
        0e0
    );
CREATE OR REPLACE MACRO recall_at_precision(qrels, run, k := NULL, p := 8e-1, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, recall_at_precision(j, k := k, p := p) AS recall_at_precision
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
