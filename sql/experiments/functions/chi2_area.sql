-- The area under chi2_curve beyond x.
-- x: 0 or more
-- df, side: as for chi2_curve
CREATE OR REPLACE MACRO chi2_area(x, df, side) AS
    list_sum(list_transform(quadrature(), lambda point: point.weight * chi2_curve(x + point.x, df, side)));
