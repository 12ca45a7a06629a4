-- The |t| whose two-sided p-value is alpha, by Newton's method on logarithms.
-- alpha: between 0 and 1
-- df: degrees of freedom
CREATE OR REPLACE MACRO student_quantile(alpha, df) AS
    let(
        student_area(0e0, df),
        lambda whole: list_reduce( -- noqa: LT01
            [sqrt(-2e0 * ln(alpha)), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], -- noqa: PRS
            lambda t, step: student_step(t, whole, alpha, df)
        )
    );
