-- The expected gain of a user who goes on with probability beta, of subtopics covered, less each time one is covered again.
-- name: NRBP, NRBP@k
-- formula: (1 − (1 − α) · β) / S · Σ gain · β^(rank − 1), gain = Σ over subtopics: (1 − α)^times covered above
-- ir_measures: NRBP
-- pyndeval: NRBP
-- relation: subtopics
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking
-- alpha: number from 0 to 1; share of the gain that is lost each time that a subtopic is covered again
-- beta: number from 0 to 1; probability that the user goes on to the next document
-- range: 0 to 1
-- empty: 0
-- source: Clarke et al. 2009, doi:10.1007/978-3-642-04417-5_17
CREATE OR REPLACE MACRO nrbp(j, k := NULL, alpha := 5e-1, beta := 5e-1) AS
    coalesce(
        (1e0 - (1e0 - alpha) * beta)
        * sum(
            CASE
                WHEN j.rank <= coalesce(k, j.rank) AND j.relevant = 1
                    THEN power(1e0 - alpha, j.hits - 1) * power(1e0 * beta, j.rank - 1)
            END
        )
        / nullif(sum(counted_subtopic('relevant', j.ideal_rank, j.relevant)), 0),
        0e0
    );
CREATE OR REPLACE MACRO nrbp(qrels, run, k := NULL, alpha := 5e-1, beta := 5e-1, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, nrbp(j, k := k, alpha := alpha, beta := beta) AS nrbp
FROM subtopics(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
