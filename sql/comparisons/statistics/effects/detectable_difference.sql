-- The true difference that a two-sided t-test can detect with as many queries, if they vary as these do.
-- relation: paired
-- alpha: between 0 and 1; significance level
-- power: between 0 and 1; how often it would find it; above alpha
-- formula: (t for alpha + t for the power) · s / √n
-- differs: an approximation of statsmodels' TTestPower.solve_power, closer than 0.2 % from 10 queries on
-- source: Bloom 1995, doi:10.1177/0193841X9501900504
CREATE OR REPLACE MACRO detectable_difference(p, alpha DOUBLE := 5e-2, power DOUBLE := 8e-1) AS
    CASE
        WHEN must_hold(power_problem(power, alpha)) AND count(*) >= 2 AND varies(p)
            THEN (
                student_quantile(alpha, count(*) - 1e0)
                + CASE WHEN power < 5e-1 THEN -1 ELSE 1 END
                * CASE
                    WHEN power = 5e-1 THEN 0e0
                    ELSE student_quantile(2e0 * least(power, 1e0 - power), count(*) - 1e0)
                END
            ) * standard_error(p)
    END;
