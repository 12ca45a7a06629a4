-- A point of exp-sinh quadrature, which integrates a smooth curve from 0 to infinity.
-- i: the number of the point, from -72 to 72
CREATE OR REPLACE MACRO quadrature_point(i) AS exp(75e-2 * (exp(i / 18e0) - exp(-i / 18e0)));
