-- The |z| whose two-sided p-value is alpha, by Newton's method on logarithms.
-- alpha: between 0 and 1
CREATE OR REPLACE MACRO normal_quantile(alpha) AS
    list_reduce( -- noqa: PRS
        [sqrt(-2e0 * ln(alpha)), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        lambda z, step: normal_step(z, alpha)
    );
