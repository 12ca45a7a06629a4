-- The relevance of the first k documents, one sign for each: its digit, > above 9, . below 0, - without a judgment.
-- name: Relstring, Relstring@k
-- formula: sign(relevance 1) sign(relevance 2) …
-- in trec_eval: relstring; relstring_{k}
-- relation: judged
-- k: whole number, 1 or more; how many documents at most
-- range: text
-- no relevant: the signs all the same
-- aggregate: none
-- source: trec_eval
CREATE OR REPLACE MACRO relstring(j, k := 10) AS
    relevance_marks(j.rank, j.relevance, retrieved_at(k, max(j.num_ret)));
