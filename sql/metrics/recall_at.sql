-- The share of the relevant documents that are among the first k.
-- name: R@k, SetR
-- aliases: Recall
-- trec_eval: recall_k, set_recall
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking
-- range: 0 to 1
-- empty: 0
-- agrees: trec_eval, ir_measures
-- source: van Rijsbergen 1979, Information Retrieval, chapter 7
CREATE OR REPLACE MACRO recall_at(j, k := NULL) AS
    coalesce(
        1e0 * sum(CASE WHEN j.rank <= coalesce(k, j.rank) THEN j.relevant ELSE 0 END)
        / nullif(max(j.num_rel), 0),
        0e0
    );
CREATE OR REPLACE MACRO recall_at(qrels, run, k := NULL, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, recall_at(j, k := k) AS recall_at
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
