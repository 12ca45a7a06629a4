-- The confidence interval of the relative difference: a list of two numbers. It leaves out 0 where Welch's test is
--     significant, and only there. An end is infinite where the control's mean may be 0.
-- relation: arms
-- confidence: between 0 and 1; how often such intervals contain the true relative difference
-- formula: all d with (difference - d · control_mean)² ≤ t² · (v1 + (1 + d)² · v0), v0 and v1 the squared standard
--     errors of the control's mean and the variant's, t the quantile of variant_margin; NULL if the control's mean is 0
-- differs: where these d are not one range, those on the side of the difference, or all if 0 is one of them
-- source: Fieller 1954, doi:10.1111/j.2517-6161.1954.tb00159.x
CREATE OR REPLACE MACRO relative_interval(a, confidence DOUBLE := 95e-2) AS
    relative_ends(
        arm_mean(a, 0), arm_mean(a, 1), arm_variance(a, 0), arm_variance(a, 1),
        variant_margin(a, confidence := confidence)
    );
