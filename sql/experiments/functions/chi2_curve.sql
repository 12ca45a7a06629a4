-- The density of the logarithm of chi-squared, without its constant: 1 at its highest, where chi-squared is df.
-- x: how far the logarithm is from its highest, in units of √(2 / df)
-- df: degrees of freedom
-- side: 1 above its highest, -1 below
CREATE OR REPLACE MACRO chi2_curve(x, df, side) AS
    exp(df / 2e0 * (
        1e0 + side * sqrt(2e0 / df) * x - exp(least(side * sqrt(2e0 / df) * x, 700e0))
    ));
