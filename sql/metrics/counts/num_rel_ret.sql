-- The number of relevant documents retrieved, or among the first k.
-- name: NumRelRet, NumRelRet@k
-- formula: relevant@k
-- aliases: TP
-- trec_eval: num_rel_ret
-- ir_measures: NumRelRet; NumRet(rel={rel})
-- ranx: hits; hits@{k}
-- nicknames: official, all_trec, set
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking
-- range: 0 to inf
-- empty: 0
-- over queries: sum
-- source: trec_eval
CREATE OR REPLACE MACRO num_rel_ret(j, k := NULL) AS
    1e0 * sum(CASE WHEN j.rank <= coalesce(k, j.rank) THEN j.relevant ELSE 0 END);
CREATE OR REPLACE MACRO num_rel_ret(qrels, run, k := NULL, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, num_rel_ret(j, k := k) AS num_rel_ret
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
