-- The probability of chi-squared or more, without lists: each term is a product, as a sum of logarithms.
-- chi2: the statistic
-- df: degrees of freedom, a whole number
CREATE OR REPLACE MACRO chi2_p(chi2, df) AS
    least(
        1e0,
        CASE WHEN df % 2 = 1 THEN normal_p(sqrt(chi2)) ELSE exp(-chi2 / 2e0) END
        + coalesce(
            list_sum(list_transform(
                range(1, CAST(floor((df + 1) / 2e0) AS BIGINT)),
                lambda i: exp(
                    list_sum(list_transform(
                        range(1, i + 1), lambda step: ln(greatest(chi2, 1e-300) / 2e0 / (step - df % 2 / 2e0))
                    ))
                    - chi2 / 2e0 - df % 2 / 2e0 * ln(3.141592653589793e0 * greatest(chi2, 1e-300) / 2e0)
                )
            )),
            0e0
        )
    );
