-- The number of queries that a two-sided t-test needs to detect a true difference, if they vary as these do.
-- relation: paired
-- difference: required, above 0; the difference to find
-- alpha: between 0 and 1; significance level
-- power: between 0 and 1; how often it would find it; above alpha
-- formula: ⌈((z for alpha + z for the power) · s / difference)² + z for alpha² / 2⌉, NULL from 9e18 on
-- differs: an approximation of statsmodels' TTestPower.solve_power, one query off at most
-- source: Guenther 1981, doi:10.2307/2683988
CREATE OR REPLACE MACRO queries_needed(p, difference DOUBLE := NULL, alpha DOUBLE := 5e-2, power DOUBLE := 8e-1) AS
    CASE
        WHEN must_hold(power_problem(power, alpha)) AND varies(p)
            THEN CAST(nullif(least(ceil(
                power((normal_quantile(alpha) + normal_place(power)) * spread(p) / difference, 2)
                + power(normal_quantile(alpha), 2) / 2e0
            ), 9e18), 9e18) AS BIGINT)
    END;
