-- A value nearer to the |t| whose two-sided p-value is alpha, by Halley's method on logarithms.
-- t: a value near to it
-- whole: student_area(0, df)
-- alpha, df: as for student_quantile
CREATE OR REPLACE MACRO student_step(t, whole, alpha, df) AS
    let(
        t,
        lambda nearer: let(
            student_area(nearer, df),
            lambda area: let( -- noqa: LT01
                ln(area / whole / (alpha)), nearer * student_curve(nearer, df) / area, -- noqa: PRS
                lambda miss, slope: nearer * exp(
                    2e0 * miss
                    / (2e0 * slope - miss * ((df + 1e0) * nearer * nearer / (df + nearer * nearer) - slope - 1e0))
                )
            )
        )
    );
