-- Welch's t-test: the p-value if the true difference is `margin`.
-- relation: arms
-- margin: the difference to test against
-- alternative: 'two-sided', 'greater' or 'less'; what else the difference may be
-- formula: t = (variant_difference - margin) / variant_error, with the degrees of freedom of Welch and Satterthwaite;
--     NULL if an arm has fewer than 2 users, or if nothing varies; 1 if nothing varies and the difference is the margin
-- same as: scipy's ttest_ind(variant, control, equal_var=False).pvalue;
--     tea-tasting's pvalue of Mean and RatioOfMeans
-- source: Welch 1947, doi:10.1093/biomet/34.1-2.28
CREATE OR REPLACE MACRO welch_t(a, margin DOUBLE := 0, alternative VARCHAR := 'two-sided') AS
    welch_p(
        CASE
            WHEN abs(variant_difference(a) - margin) > 1e-12 * abs(control_mean(a)) THEN variant_difference(a) - margin
            ELSE 0e0
        END,
        arm_variance(a, 0), arm_size(a, 0), arm_variance(a, 1), arm_size(a, 1), alternative
    );
