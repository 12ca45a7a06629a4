-- The probability that a relevant document is ranked above one judged not relevant; the same score counts half.
-- name: AUC
-- formula: (pairs in order + pairs tied / 2) / (R · N)
-- aliases: ROC_AUC; AUROC
-- sklearn: roc_auc_score(); roc_auc_score(max_fpr={max_fpr})
-- torchmetrics: RetrievalAUROC(); RetrievalAUROC(max_fpr={max_fpr})
-- relation: judged
-- max_fpr: number between 0 and 1, or NULL; only the ROC curve up to this share of non-relevant documents counts, scaled so that chance is 0.5. NULL takes all of it
-- range: 0 to 1
-- empty: 0
-- over queries: mean or pooled
-- differs: judged documents that were not retrieved come last, all tied; unjudged ones are in no pair; scikit-learn has no number where nothing is relevant or nothing is judged not relevant, here and in torchmetrics it is 0
-- source: Hanley and McNeil 1982, doi:10.1148/radiology.143.1.7063747, and for max_fpr McClish 1989, doi:10.1177/0272989X8900900307
CREATE OR REPLACE MACRO auc(j, max_fpr := NULL) AS
    coalesce(
        (
            1e0
            + (
                1e0 * sum(
                    CASE
                        WHEN j.relevant = 0 AND j.relevance >= 0
                            THEN roc_area(
                                j.hits_above,
                                at_or_above(j.first_rank, j.hits_above, j.hits_tied, j.num_rel),
                                j.misses_above,
                                at_or_above(j.first_rank, j.misses_above, j.misses_tied, j.num_nonrel),
                                coalesce(1e0 * max_fpr, 1e0) * j.num_nonrel
                            )
                    END
                )
                / nullif(sum(CASE WHEN j.relevant = 0 AND j.relevance >= 0 THEN j.num_rel END), 0)
                - power(coalesce(1e0 * max_fpr, 1e0), 2) / 2e0
            )
            / (coalesce(1e0 * max_fpr, 1e0) - power(coalesce(1e0 * max_fpr, 1e0), 2) / 2e0)
        ) / 2e0,
        0e0
    );
CREATE OR REPLACE MACRO auc(qrels, run, max_fpr := NULL, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, auc(j, max_fpr := max_fpr) AS auc
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
