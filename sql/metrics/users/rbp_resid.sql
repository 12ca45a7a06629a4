-- How much RBP would be higher if every document without judgment, those never retrieved included, had the highest gain.
-- name: RBP_resid, RBP_resid@k
-- formula: 1 − (1 − p) · Σ over judged documents: p^(i − 1)
-- trec_eval: rbp_resid with p=0.9
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, below which nothing counts as judged; NULL takes the whole ranking
-- p: number between 0 and 1; probability that the user goes on
-- over queries: mean or pooled
-- range: 0 to 1
-- empty: the weight of the ranks without judgment
-- differs: trec_eval 10 says 0 when all that was retrieved is judged, or nothing was retrieved, and so leaves out the ranks below, which gain something with probability p^(documents retrieved)
-- source: Moffat and Zobel 2008, doi:10.1145/1416950.1416952
CREATE OR REPLACE MACRO rbp_resid(j, k := NULL, p := 8e-1) AS
    1e0 - (1e0 - p) * sum(
        CASE
            WHEN j.rank <= coalesce(k, j.rank) AND j.relevance >= 0 THEN power(1e0 * p, j.rank - 1)
            ELSE 0e0
        END
    ) / sum(CASE WHEN j.ideal_rank = 1 THEN 1 END);
CREATE OR REPLACE MACRO rbp_resid(qrels, run, k := NULL, p := 8e-1) AS TABLE
SELECT j.run_id, j.query_id, rbp_resid(j, k := k, p := p) AS rbp_resid
FROM judged(qrels, run) AS j
GROUP BY j.run_id, j.query_id;
