-- The number of documents retrieved, judged or not.
-- name: NumRet
-- trec_eval: num_ret
-- relation: judged
-- range: 0 to inf
-- empty: the number retrieved all the same
-- over queries: sum
-- agrees: trec_eval, ir_measures
-- source: trec_eval
CREATE OR REPLACE MACRO num_ret(j) AS
    1e0 * max(j.num_ret);
CREATE OR REPLACE MACRO num_ret(qrels, run) AS TABLE
SELECT j.run_id, j.query_id, num_ret(j) AS num_ret
FROM judged(qrels, run) AS j
GROUP BY j.run_id, j.query_id;
