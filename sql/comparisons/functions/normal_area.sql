-- The area under exp(-x² / 2) beyond z.
-- z: where it begins
CREATE OR REPLACE MACRO normal_area(z) AS
    list_sum(list_transform(quadrature(), lambda point: point.weight * exp(-(z + point.x) * (z + point.x) / 2e0)));
