-- The number of documents retrieved, judged or not, but no more than k.
-- name: NumRet, NumRet@k
-- formula: min(k, documents retrieved)
-- trec_eval: num_ret
-- ir_measures: NumRet
-- nicknames: official, all_trec, set
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking
-- range: 0 to inf
-- empty: the number retrieved all the same
-- over queries: sum
-- source: trec_eval
CREATE OR REPLACE MACRO num_ret(j, k := NULL) AS
    1e0 * CASE WHEN max(j.num_ret) > k THEN k ELSE max(j.num_ret) END;
CREATE OR REPLACE MACRO num_ret(qrels, run, k := NULL) AS TABLE
SELECT j.run_id, j.query_id, num_ret(j, k := k) AS num_ret
FROM judged(qrels, run) AS j
GROUP BY j.run_id, j.query_id;
