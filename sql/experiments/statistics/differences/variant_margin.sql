-- Half the width of the confidence interval of the difference; NULL if an arm has fewer than 2 users.
-- relation: arms
-- confidence: between 0 and 1; how often such intervals contain the true difference
-- formula: t · variant_error, t the quantile for Welch's degrees of freedom
-- same as: scipy's ttest_ind(variant, control, equal_var=False).confidence_interval()
-- source: Welch 1947, doi:10.1093/biomet/34.1-2.28
CREATE OR REPLACE MACRO variant_margin(a, confidence DOUBLE := 95e-2) AS
    welch_margin(arm_variance(a, 0), arm_size(a, 0), arm_variance(a, 1), arm_size(a, 1), confidence);
