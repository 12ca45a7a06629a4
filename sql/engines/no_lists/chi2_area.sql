-- The area under chi2_curve beyond x, without lists.
-- x, df, side: as for the other file of this name
CREATE OR REPLACE MACRO chi2_area(x, df, side) AS
    list_sum(list_transform(
        range(-72, 73),
        lambda i: let( -- noqa: LT01
            quadrature_point(i), quadrature_weight(i), -- noqa: PRS
            lambda further, weight: weight * chi2_curve(x + further, df, side)
        )
    ));
