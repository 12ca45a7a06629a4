-- A value nearer to the |z| whose two-sided p-value is alpha, by Newton's method on logarithms.
-- z: a value near to it
-- alpha: between 0 and 1
CREATE OR REPLACE MACRO normal_step(z, alpha) AS
    z * exp(ln(normal_p(z) / alpha) * normal_area(z) / (z * exp(-z * z / 2e0)));
