-- The expected gain, from the subtopics covered, of a user who continues with probability beta, divided by that of a
--     greedily built ideal ranking, which is rarely surpassed.
-- name: nNRBP, nNRBP@k
-- formula: Σ gain · β^(rank − 1), over the same of the ideal ranking, gain = Σ over subtopics: (1 − α)^times covered
--     above
-- relation: greedy(alpha, rel)
-- k: 1 or more; cut-off rank of both rankings, or NULL for the whole rankings
-- beta: from 0 to 1; probability that the user continues to the next document
-- range: 0 to 1.582
-- no relevant: 0
-- differs: pyndeval and ir_measures return no number for a query with no relevant documents
-- source: Clarke et al. 2009, doi:10.1007/978-3-642-04417-5_17
CREATE OR REPLACE MACRO nnrbp(j, k BIGINT := NULL, beta DOUBLE := 5e-1) AS
    ratio(
        exact_sum(CASE WHEN within_k(j.rank, k) THEN j.gain * power(1e0 * beta, j.rank - 1) END),
        exact_sum(CASE WHEN within_k(j.greedy_rank, k) THEN j.greedy_gain * power(1e0 * beta, j.greedy_rank - 1) END)
    );
