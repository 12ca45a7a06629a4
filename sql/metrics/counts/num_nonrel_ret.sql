-- The number of documents retrieved that were judged not relevant.
-- name: NumNonRelRet
-- formula: documents judged not relevant retrieved
-- trec_eval: num_nonrel_judged_ret
-- nicknames: all_trec
-- relation: judged
-- range: 0 to inf
-- empty: the number retrieved all the same
-- over queries: sum
-- source: trec_eval
CREATE OR REPLACE MACRO num_nonrel_ret(j) AS
    1e0 * sum(CASE WHEN j.rank IS NOT NULL AND j.relevance >= 0 AND j.relevant = 0 THEN 1 ELSE 0 END);
CREATE OR REPLACE MACRO num_nonrel_ret(qrels, run, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, num_nonrel_ret(j) AS num_nonrel_ret
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
