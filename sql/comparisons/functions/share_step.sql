-- A value nearer to the x beyond which a part of the area under share_curve lies, by Newton's method on logarithms.
-- x: a value near to it
-- whole: the area under the whole curve
-- tail, a, b: as for share_quantile
CREATE OR REPLACE MACRO share_step(x, whole, tail, a, b) AS
    x + share_area(x, a, b) / share_curve(x, a, b) * ln(share_area(x, a, b) / whole / tail);
