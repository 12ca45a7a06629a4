-- How much higher RBP would be if every unjudged document, including those never retrieved, had the highest gain.
-- name: RBP_resid, RBP_resid@k
-- formula: 1 − (1 − p) · Σ over judged documents: p^(i − 1)
-- in trec_eval: rbp_resid with p=0.9; rbp_resid_p={p}
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, below which nothing counts as judged, or NULL for the whole
--     ranking
-- p: number between 0 and 1; probability that the user continues
-- aggregate: mean or pooled
-- range: 0 to 1
-- no relevant: the weight of the unjudged ranks
-- differs: p is 0.9 in trec_eval, which is what rbp_resid means only with preset trec_eval-10. trec_eval 10 returns 0
--     if everything retrieved is judged or nothing was retrieved; it leaves out the ranks below, which gain something
--     with probability p^(documents retrieved)
-- source: Moffat and Zobel 2008, doi:10.1145/1416950.1416952
CREATE OR REPLACE MACRO rbp_resid(j, k := NULL, p := 8e-1) AS
    1e0 - (1e0 - p) * total(
        CASE WHEN first_k(j.rank, k) AND j.relevance >= 0 THEN power(1e0 * p, j.rank - 1) ELSE 0e0 END
    ) / per_query(j, 1);
