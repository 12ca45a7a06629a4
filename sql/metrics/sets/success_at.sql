-- 1 when a relevant document is among the first k, else 0.
-- name: Success@k, Success
-- aliases: Hit; HitRate
-- formula: 1 if relevant@k > 0 else 0
-- trec_eval: success_{k} by 1, 5, 10
-- ir_measures: Success@{k}
-- ranx: hit_rate; hit_rate@{k}
-- beir: Accuracy@{k}
-- nicknames: all_trec
-- torchmetrics: RetrievalHitRate(); RetrievalHitRate(top_k={k})
-- pyNTCIREVAL: Hit(cutoff={k})
-- lenskit: Hit(); Hit(n={k})
-- rectools: HitRate(k={k})
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking
-- range: 0 to 1
-- empty: 0
-- source: Craswell and Hawking 2004, Overview of the TREC-2004 Web Track
CREATE OR REPLACE MACRO success_at(j, k := NULL) AS
    1e0 * max(CASE WHEN j.rank <= coalesce(k, j.rank) THEN j.relevant ELSE 0 END);
CREATE OR REPLACE MACRO success_at(qrels, run, k := NULL, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, success_at(j, k := k) AS success_at
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
