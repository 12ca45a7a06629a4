-- The number of judged documents among the first k.
-- j: rows of judged
-- k: cut-off rank, or NULL for the whole ranking
CREATE OR REPLACE MACRO num_judged(j, k) AS sum(CASE WHEN within_k(j.rank, k) AND j.relevance >= 0 THEN 1 ELSE 0 END);
