-- The relevant documents among the first k as a share of what is among the first k or relevant.
-- name: Jaccard, Jaccard@k
-- formula: TP / (TP + FP + FN)
-- aliases: ThreatScore; CSI
-- sklearn: jaccard_score()
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking
-- range: 0 to 1
-- empty: 0
-- over queries: mean or pooled
-- source: Jaccard 1912, doi:10.1111/j.1469-8137.1912.tb05611.x
CREATE OR REPLACE MACRO jaccard_at(j, k := NULL) AS
    coalesce(
        1e0 * sum(CASE WHEN j.rank <= coalesce(k, j.rank) THEN j.relevant ELSE 0 END)
        / nullif(
            sum(CASE WHEN j.ideal_rank = 1 THEN first_of(k, j.num_ret) END)
            + sum(CASE WHEN j.rank <= coalesce(k, j.rank) THEN 0 ELSE j.relevant END),
            0
        ),
        0e0
    );
CREATE OR REPLACE MACRO jaccard_at(qrels, run, k := NULL, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, jaccard_at(j, k := k) AS jaccard_at
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
