-- The confidence interval of the relative difference: a list of two numbers.
-- relation: arms
-- confidence: between 0 and 1; how often such intervals contain the true relative difference
-- formula: variant_mean / control_mean · exp(± t · s) - 1, s the standard error of the logarithm; NULL if one mean is
--     0, or one is below 0 and the other above
-- same as: tea-tasting's rel_effect_size_ci_lower, rel_effect_size_ci_upper of RatioOfMeans
-- source: Deng, Knoblich and Lu 2018, doi:10.1145/3219819.3219919
CREATE OR REPLACE MACRO relative_interval(a, confidence DOUBLE := 95e-2) AS
    CASE
        WHEN arm_mean(a, 0) * arm_mean(a, 1) > 0
            THEN list_transform(
                let(
                    welch_margin(
                        arm_variance(a, 0) / power(arm_mean(a, 0), 2),
                        arm_size(a, 0),
                        arm_variance(a, 1) / power(arm_mean(a, 1), 2),
                        arm_size(a, 1),
                        confidence
                    ),
                    lambda margin: [-margin, margin]
                ),
                lambda side: arm_mean(a, 1) / arm_mean(a, 0) * exp(side) - 1e0
            )
    END;
