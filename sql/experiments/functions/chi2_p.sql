-- The probability of chi-squared or more.
-- chi2: the statistic
-- df: degrees of freedom, a whole number
CREATE OR REPLACE MACRO chi2_p(chi2, df) AS
    least(
        1e0,
        CASE WHEN df % 2 = 1 THEN normal_p(sqrt(chi2)) ELSE exp(-chi2 / 2e0) END
        + coalesce(
            list_sum(list_transform(
                list_transform(range(1, (df + 1) // 2), lambda i: i - df % 2 / 2e0),
                lambda s: exp(s * ln(greatest(chi2, 1e-300) / 2e0) - chi2 / 2e0 - lgamma(s + 1e0))
            )),
            0e0
        )
    );
