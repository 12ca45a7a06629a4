-- The area under student_curve beyond t.
-- t: where it begins
-- df: degrees of freedom
CREATE OR REPLACE MACRO student_area(t, df) AS
    list_sum(list_transform(quadrature(), lambda point: point.weight * student_curve(t + point.x, df)));
