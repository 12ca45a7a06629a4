-- The expected gain, from the subtopics covered, of a user who continues with probability beta, reduced each time a
--     subtopic is covered again.
-- name: NRBP, NRBP@k
-- formula: (1 − (1 − α) · β) / S · Σ gain · β^(rank − 1), gain = Σ over subtopics: (1 − α)^times covered above
-- relation: subtopics(rel)
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- alpha: from 0 to 1; share of the gain lost each time a subtopic is covered again
-- beta: from 0 to 1; probability that the user continues to the next document
-- range: 0 to 1
-- no relevant: 0
-- source: Clarke et al. 2009, doi:10.1007/978-3-642-04417-5_17
CREATE OR REPLACE MACRO nrbp(j, k BIGINT := NULL, alpha DOUBLE := 5e-1, beta DOUBLE := 5e-1) AS
    (1e0 - (1e0 - alpha) * beta) * ratio(
        exact_sum(
            CASE
                WHEN within_k(j.rank, k) AND j.relevant = 1
                    THEN power(1e0 - alpha, j.hits - 1) * power(1e0 * beta, j.rank - 1)
            END
        ),
        once_per_subtopic(j, 1)
    );
