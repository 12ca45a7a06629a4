-- The expected gain of a user who goes on with probability beta, of subtopics covered, over that of a greedily built ideal ranking, which is rarely surpassed.
-- name: nNRBP, nNRBP@k
-- formula: Σ gain · β^(rank − 1), over the same of the ideal ranking, gain = Σ over subtopics: (1 − α)^times covered above
-- ir_measures: nNRBP
-- pyndeval: nNRBP
-- relation: greedy
-- k: whole number, 1 or more, or NULL; cut-off rank of both rankings, NULL takes them whole
-- beta: number from 0 to 1; probability that the user goes on to the next document
-- range: 0 to 1.582
-- empty: 0
-- differs: pyndeval and ir_measures give no number to a query with nothing relevant
-- source: Clarke et al. 2009, doi:10.1007/978-3-642-04417-5_17
CREATE OR REPLACE MACRO nnrbp(j, k := NULL, beta := 5e-1) AS
    coalesce(
        sum(CASE WHEN j.rank <= coalesce(k, j.rank) THEN j.gain * power(1e0 * beta, j.rank - 1) END)
        / nullif(sum(
            CASE
                WHEN j.greedy_rank <= coalesce(k, j.greedy_rank)
                    THEN j.greedy_gain * power(1e0 * beta, j.greedy_rank - 1)
            END
        ), 0),
        0e0
    );
CREATE OR REPLACE MACRO nnrbp(qrels, run, k := NULL, beta := 5e-1, alpha := 5e-1, rel := 1) AS TABLE
WITH _subtopics AS (SELECT * FROM subtopics(qrels, run, rel := rel))
SELECT j.run_id, j.query_id, nnrbp(j, k := k, beta := beta) AS nnrbp
FROM greedy(_subtopics, alpha := alpha) AS j
GROUP BY j.run_id, j.query_id;
