-- The relevance of the first k documents, one sign for each: its digit, > above 9, . below 0, - without a judgment.
-- name: Relstring, Relstring@k
-- formula: sign(relevance 1) sign(relevance 2) …
-- trec_eval: relstring; relstring_{k} by 10
-- nicknames: all_trec
-- relation: judged
-- k: whole number, 1 or more; how many documents at most
-- range: text
-- empty: the signs all the same
-- over queries: none
-- source: trec_eval
CREATE OR REPLACE MACRO relstring(j, k := 10) AS
    relevance_marks(j.rank, j.relevance, CASE WHEN max(j.num_ret) < k THEN max(j.num_ret) ELSE k END);
CREATE OR REPLACE MACRO relstring(qrels, run, k := 10) AS TABLE
SELECT j.run_id, j.query_id, relstring(j, k := k) AS relstring
FROM judged(qrels, run) AS j
GROUP BY j.run_id, j.query_id;
