-- The |t| whose two-sided p-value is alpha, by Newton's method on logarithms.
-- alpha: between 0 and 1
-- df: degrees of freedom
CREATE OR REPLACE MACRO student_quantile(alpha, df) AS
    list_reduce( -- noqa: PRS
        [sqrt(-2e0 * ln(alpha)), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        lambda t, step: t * exp(
            ln(student_area(t, df) / student_area(0e0, df) / alpha)
            * student_area(t, df) / (t * student_curve(t, df))
        )
    );
