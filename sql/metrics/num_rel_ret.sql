-- The number of relevant documents retrieved.
-- name: NumRelRet
-- trec_eval: num_rel_ret
-- relation: judged
-- range: 0 to inf
-- empty: 0
-- over queries: sum
-- agrees: trec_eval, ir_measures
-- source: trec_eval
CREATE OR REPLACE MACRO num_rel_ret(j) AS
    1e0 * sum(CASE WHEN j.rank IS NOT NULL THEN j.relevant ELSE 0 END);
CREATE OR REPLACE MACRO num_rel_ret(qrels, run, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, num_rel_ret(j) AS num_rel_ret
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
