-- False positives among the judged documents: those of the first k that are judged not relevant.
-- j: rows of judged
-- k: cut-off rank, or NULL for the whole ranking
CREATE OR REPLACE MACRO judged_fp(j, k) AS
    sum(CASE WHEN within_k(j.rank, k) AND j.relevance >= 0 AND j.relevant = 0 THEN 1 ELSE 0 END);
