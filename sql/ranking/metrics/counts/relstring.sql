-- The relevance of the first k documents, one character each: its digit, > above 9, . below 0, - if unjudged.
-- name: Relstring, Relstring@k
-- formula: sign(relevance 1) sign(relevance 2) …
-- relation: judged
-- k: 1 or more; maximum number of documents
-- range: text
-- no relevant: the characters, as for other queries
-- aggregate: none
-- source: trec_eval
CREATE OR REPLACE MACRO relstring(j, k BIGINT := 10) AS
    relevance_marks(j.rank, j.relevance, retrieved_at(k, max(j.num_ret)));
