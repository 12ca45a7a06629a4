-- The area under student_curve beyond t, without lists.
-- t, df: as for the other file of this name
CREATE OR REPLACE MACRO student_area(t, df) AS
    list_sum(list_transform(
        range(-72, 73),
        lambda i: let( -- noqa: LT01
            quadrature_point(i), quadrature_weight(i), -- noqa: PRS
            lambda further, weight: weight * student_curve(further + t, df)
        )
    ));
