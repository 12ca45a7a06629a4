-- The number of queries.
-- name: NumQ
-- formula: queries
-- trec_eval: num_q
-- ir_measures: NumQ
-- nicknames: official, all_trec, set, prefs, all_prefs, qrels_jg
-- relation: judged
-- range: 0 to inf
-- empty: 1, since the query counts
-- over queries: sum
-- source: trec_eval, with its option -c; without it, queries without answer do not count
CREATE OR REPLACE MACRO num_q(j) AS
    sum(CASE WHEN j.ideal_rank = 1 THEN 1e0 ELSE 0e0 END);
CREATE OR REPLACE MACRO num_q(qrels, run) AS TABLE
SELECT j.run_id, j.query_id, num_q(j) AS num_q
FROM judged(qrels, run) AS j
GROUP BY j.run_id, j.query_id;
