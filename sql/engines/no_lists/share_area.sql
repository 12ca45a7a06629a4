-- The area under share_curve beyond x, without lists.
-- x: 0 or more
-- a, b: as for share_curve
CREATE OR REPLACE MACRO share_area(x, a, b) AS
    list_sum(list_transform(
        range(-72, 73),
        lambda i: let( -- noqa: LT01
            quadrature_point(i), quadrature_weight(i), -- noqa: PRS
            lambda further, weight: weight * exp(-a * sqrt(1e0 / a + 1e0 / b) * (x + further) - (a + b) * ln(
                1e0 + (exp(-sqrt(1e0 / a + 1e0 / b) * (x + further)) - 1e0) * a / (a + b)
            ))
        )
    ));
