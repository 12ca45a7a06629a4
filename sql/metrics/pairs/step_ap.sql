-- AP of a ranking that returns all documents of one score at once: the last rank of a score stands for all of them.
-- name: StepAP
-- formula: 1/R · Σ over relevant retrieved: P@last rank of its score
-- sklearn: average_precision_score()
-- relation: judged
-- range: 0 to 1
-- empty: 0
-- over queries: mean or pooled
-- differs: a relevant document that was not retrieved adds 0, as in AP; scikit-learn knows of none
-- source: scikit-learn
CREATE OR REPLACE MACRO step_ap(j) AS
    -- without num_tied, all that is ranked is judged
    coalesce(
        sum(
            CASE
                WHEN j.relevant = 1 AND j.first_rank IS NOT NULL
                    THEN
                        1e0 * (j.hits_above + j.hits_tied)
                        / coalesce(
                            j.first_rank + j.num_tied - 1,
                            j.hits_above + j.hits_tied + j.misses_above + j.misses_tied
                        )
            END
        )
        / nullif(sum(j.relevant), 0),
        0e0
    );
CREATE OR REPLACE MACRO step_ap(qrels, run, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, step_ap(j) AS step_ap
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
