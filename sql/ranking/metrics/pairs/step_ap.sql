-- AP of a ranking that returns all documents with the same score at once: the last rank of a score counts for all of
--     them.
-- name: StepAP
-- formula: 1/R · Σ over relevant retrieved: P@last rank of its score
-- relation: judged(rel)
-- range: 0 to 1
-- no relevant: 0
-- aggregate: mean or pooled
-- differs: a relevant document that was not retrieved adds 0, as in AP; scikit-learn does not know of any. depth keeps
--     all documents with the last score that it reaches
-- source: scikit-learn
CREATE OR REPLACE MACRO step_ap(j) AS
    -- without num_tied, everything ranked is judged
    ratio(
        exact_sum(
            CASE
                WHEN j.relevant = 1 AND j.first_rank IS NOT NULL
                    THEN
                        1e0 * (j.hits_above + j.hits_tied)
                        / coalesce(
                            j.first_rank + j.num_tied - 1,
                            j.hits_above + j.hits_tied + j.false_positives_above + j.false_positives_tied
                        )
            END
        ),
        sum(j.relevant)
    );
