-- The probability of chi-squared or more: a part of the area under the density of its logarithm.
-- chi2: the statistic
-- df: degrees of freedom, a whole number; without any, the probability is 1
CREATE OR REPLACE MACRO chi2_p(chi2, df) AS
    CASE
        WHEN df < 1 THEN 1e0
        ELSE let(
            ln(greatest(chi2, 1e-300) / df) * sqrt(df / 2e0),
            lambda x: let(
                CASE WHEN x < 0 THEN -1e0 ELSE 1e0 END,
                lambda side: let(
                    chi2_area(abs(x), df, side) / (chi2_area(0e0, df, 1e0) + chi2_area(0e0, df, -1e0)),
                    lambda tail: CASE WHEN x < 0 THEN 1e0 - tail ELSE tail END
                )
            )
        )
    END;
