-- The probability that a relevant document is ranked above one judged not relevant; equal scores count half.
-- name: AUC
-- formula: (pairs in order + pairs tied / 2) / (R · N)
-- aliases: ROC_AUC; AUROC
-- relation: judged(rel)
-- max_fpr: between 0 and 1; use the ROC curve only up to this share of non-relevant documents, scaled so that chance is
--     0.5. NULL uses all of it
-- range: 0 to 1
-- no relevant: 0
-- aggregate: mean or pooled
-- differs: judged documents that were not retrieved come last, all tied, and depth keeps all documents with the last
--     score that it reaches; unjudged documents are in no pair; if nothing is relevant or nothing is judged not
--     relevant, scikit-learn returns no number, sqlmetrics and torchmetrics return 0
-- source: Hanley and McNeil 1982, doi:10.1148/radiology.143.1.7063747, and for max_fpr McClish 1989,
--     doi:10.1177/0272989X8900900307
CREATE OR REPLACE MACRO auc(j, max_fpr DOUBLE := NULL) AS
    CASE
        WHEN max_fpr IS NULL
            THEN ratio(
                -- pairs in the right order, and half of the tied ones
                sum(j.relevant * (j.num_nonrel - (j.false_positives_above + false_positives_by_score(j)) / 2e0)),
                sum(j.relevant * j.num_nonrel)
            )
        ELSE
            -- scaled as in McClish: 0.5 by chance, whose area is max_fpr² / 2, and 1 at best, whose area is max_fpr
            coalesce(
                (
                    1e0
                    + (
                        exact_sum(
                            CASE
                                WHEN j.relevance >= 0 AND j.relevant = 0 THEN roc_area(j, 1e0 * max_fpr * j.num_nonrel)
                            END
                        )
                        / nullif(sum(j.relevant * j.num_nonrel), 0)
                        - 1e0 * max_fpr * max_fpr / 2
                    )
                    / (max_fpr - 1e0 * max_fpr * max_fpr / 2)
                ) / 2,
                0e0
            )
    END;
