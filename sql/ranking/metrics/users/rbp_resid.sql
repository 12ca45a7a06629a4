-- How much higher RBP would be if every unjudged document, including those never retrieved, had the highest gain.
-- name: RBP_resid, RBP_resid@k
-- formula: 1 − (1 − p) · Σ over judged documents: p^(i − 1)
-- relation: judged
-- k: 1 or more; cut-off rank, below which nothing counts as judged, or NULL for the whole ranking
-- p: between 0 and 1; probability that the user continues
-- needs_unjudged: whether it is 0 if all that was retrieved, down to k, is judged, and if nothing was retrieved
-- aggregate: mean or pooled
-- range: 0 to 1
-- no relevant: the weight of the unjudged ranks
-- differs: trec_eval has it since version 10, with p=0.9 and needs_unjudged=TRUE, which leaves out the ranks below a
--     list that is all judged, although they gain something with probability p^(documents retrieved); the name
--     rbp_resid means this only with preset trec_eval-10, and rbp_resid_p=0.8, as trec_eval prints it, always
-- source: Moffat and Zobel 2008, doi:10.1145/1416950.1416952
CREATE OR REPLACE MACRO rbp_resid(j, k BIGINT := NULL, p DOUBLE := 8e-1, needs_unjudged BOOLEAN := FALSE) AS
    CASE
        WHEN needs_unjudged AND num_judged(j, k) = once_per_query(j, retrieved_at(k, j.num_ret)) THEN 0e0
        ELSE 1e0 - (1e0 - p) * exact_sum(
            CASE WHEN within_k(j.rank, k) AND j.relevance >= 0 THEN power(1e0 * p, j.rank - 1) ELSE 0e0 END
        ) / once_per_query(j, 1)
    END;
