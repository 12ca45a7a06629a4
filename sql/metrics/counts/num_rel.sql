-- The number of relevant documents, retrieved or not.
-- name: NumRel
-- formula: R
-- trec_eval: num_rel
-- ir_measures: NumRel
-- nicknames: official, all_trec, set
-- relation: judged
-- range: 0 to inf
-- empty: 0
-- over queries: sum
-- source: trec_eval, with its option -c; without it, as in ir_measures, queries without answer add nothing
CREATE OR REPLACE MACRO num_rel(j) AS
    1e0 * max(j.num_rel);
CREATE OR REPLACE MACRO num_rel(qrels, run, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, num_rel(j) AS num_rel
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
