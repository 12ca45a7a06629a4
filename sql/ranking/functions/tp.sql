-- True positives: relevant documents among the first k.
-- j: rows of judged
-- k: cut-off rank, or NULL for the whole ranking
CREATE OR REPLACE MACRO tp(j, k) AS sum(CASE WHEN within_k(j.rank, k) THEN j.relevant ELSE 0 END);
