-- The area under share_curve beyond x.
-- x, a, b: as for share_curve
CREATE OR REPLACE MACRO share_area(x, a, b) AS
    list_sum(list_transform(quadrature(), lambda point: point.weight * share_curve(x + point.x, a, b)));
