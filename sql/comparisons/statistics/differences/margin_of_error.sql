-- Half the width of the confidence interval of the mean difference by Student's t; NULL for fewer than 2 queries.
-- relation: paired
-- confidence: between 0 and 1; how often such intervals contain the true difference
-- effective: 1 or more; as for mean_interval
-- formula: t · s / √n, t the quantile for n - 1 degrees of freedom
-- same as: scipy's ttest_rel(run, baseline).confidence_interval()
CREATE OR REPLACE MACRO margin_of_error(p, confidence DOUBLE := 95e-2, effective DOUBLE := NULL) AS
    CASE
        WHEN count(*) < 2 THEN NULL
        WHEN NOT varies(p) THEN 0e0
        ELSE
            student_quantile(1e0 - confidence, greatest(coalesce(effective, 1e0 * count(*)) - 1e0, 1e0))
            * standard_error(p)
    END;
