-- The highest RBP: unjudged documents are relevant, and so is all that the run would list below its end, down to k.
-- relation: bounded
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- p: between 0 and 1; probability that the user continues
-- formula: RBP + residual, residual = (1 − p) · Σ over unjudged: p^(rank − 1) + p^(ranks seen) − p^k
-- range: 0 to 1
-- source: Moffat and Zobel 2008, doi:10.1145/1416950.1416952
CREATE OR REPLACE MACRO highest_rbp(b, k BIGINT := NULL, p DOUBLE := 8e-1) AS
    (1e0 - p) * exact_sum(
        CASE
            WHEN within_k(b.rank, k) AND coalesce(b.relevant, b.top_relevant) = 1 THEN power(1e0 * p, b.rank - 1)
            ELSE 0e0
        END
    )
    + max(b.top_relevant) * (
        power(1e0 * p, coalesce(max(CASE WHEN within_k(b.rank, k) THEN b.rank END), 0))
        - CASE WHEN k IS NULL THEN 0e0 ELSE power(1e0 * p, k) END
    );
