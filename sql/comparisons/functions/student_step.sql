-- A value nearer to the |t| whose two-sided p-value is alpha, by Newton's method on logarithms.
-- t: a value near to it
-- whole: student_area(0, df)
-- alpha, df: as for student_quantile
CREATE OR REPLACE MACRO student_step(t, whole, alpha, df) AS
    let(
        t,
        lambda nearer: let(
            student_area(nearer, df),
            lambda area: nearer * exp(ln(area / whole / (alpha)) * area / (nearer * student_curve(nearer, df)))
        )
    );
