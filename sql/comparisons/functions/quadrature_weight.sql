-- The weight of a point of exp-sinh quadrature.
-- i: the number of the point, from -72 to 72
CREATE OR REPLACE MACRO quadrature_weight(i) AS
    quadrature_point(i) * (exp(i / 18e0) + exp(-i / 18e0)) * 75e-2 / 18e0;
