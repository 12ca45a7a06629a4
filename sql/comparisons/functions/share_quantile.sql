-- The x beyond which this part of the area under share_curve lies, by Newton's method on logarithms.
-- tail: above 0 and below 1/2
-- a, b: as for share_curve
CREATE OR REPLACE MACRO share_quantile(tail, a, b) AS
    list_reduce( -- noqa: PRS
        [sqrt(-2e0 * ln(2e0 * tail)), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        lambda x, step: x + share_area(x, a, b) / share_curve(x, a, b)
        * ln(share_area(x, a, b) / (share_area(0e0, a, b) + share_area(0e0, b, a)) / tail)
    );
