-- The |t| whose two-sided p-value is alpha, by two steps of Halley's method on logarithms from a near value.
-- alpha: between 0 and 1
-- df: degrees of freedom
-- source: Gaver and Kafadar 1984, doi:10.1080/00031305.1984.10482867, for t from the normal quantile, and Abramowitz and
--     Stegun 1964, 26.2.23, for that one
CREATE OR REPLACE MACRO student_quantile(alpha, df) AS
    let(
        df,
        lambda df: let( -- noqa: LT01
            student_area(0, df), sqrt(-2e0 * ln((alpha) / 2e0)), -- noqa: PRS
            lambda whole, root: let(
                CASE
                    WHEN df < 14e-1 THEN 1e0 / tan((alpha) * 1.5707963267948966e0)
                    WHEN df < 25e-1 THEN (1e0 - (alpha)) * sqrt(2e0 / ((alpha) * (2e0 - (alpha))))
                    ELSE sqrt(df * (exp(
                        power(
                            root - (2.515517e0 + root * (0.802853e0 + root * 0.010328e0))
                            / (1e0 + root * (1.432788e0 + root * (0.189269e0 + root * 0.001308e0))),
                            2
                        ) * (df - 83e-2) / (df * (df - 1e0) + 1e-1)
                    ) - 1e0))
                END,
                lambda near: student_step(student_step(near, whole, alpha, df), whole, alpha, df)
            )
        )
    );
