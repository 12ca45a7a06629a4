-- The share of the relevant documents that are among the first k.
-- name: R@k, SetR
-- formula: relevant@k / R
-- aliases: Recall
-- nicknames: all_trec, set set_recall
-- trec_eval: recall_{k}; set_recall
-- ir_measures: R@{k}; SetR
-- ranx: recall; recall@{k}
-- beir: Recall@{k}
-- sklearn: recall_score()
-- torchmetrics: RetrievalRecall(); RetrievalRecall(top_k={k})
-- lenskit: Recall(); Recall(n={k}) with denominator='achievable'
-- rectools: Recall(k={k})
-- recommenders: recall_at_k(k={k})
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking
-- denominator: 'relevant', 'achievable', 'listed', 'cutoff' or 'retrieved'; what is divided by: all R relevant documents; min(k, R), the most that can be found; min(k, R, documents retrieved); k, which is precision; min(k, documents retrieved)
-- range: 0 to 1
-- empty: 0
-- over queries: mean or pooled
-- source: van Rijsbergen 1979, Information Retrieval, chapter 7
CREATE OR REPLACE MACRO recall_at(j, k := NULL, denominator := 'relevant') AS
    coalesce(
        1e0 * sum(CASE WHEN j.rank <= coalesce(k, j.rank) THEN j.relevant ELSE 0 END)
        / nullif(sum(
            CASE WHEN j.ideal_rank = 1 THEN divisor(denominator, k, j.num_rel, j.num_ret) END
        ), 0),
        0e0
    );
CREATE OR REPLACE MACRO recall_at(
    qrels, run, k := NULL, denominator := 'relevant', rel := 1
) AS TABLE
SELECT j.run_id, j.query_id, recall_at(j, k := k, denominator := denominator) AS recall_at
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
