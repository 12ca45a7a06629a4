-- The two-sided p-value of Student's t: both tails as a share of the whole, which needs no constant.
-- t: the statistic
-- df: degrees of freedom
CREATE OR REPLACE MACRO student_p(t, df) AS
    let(
        list_transform([abs(t), 0e0], lambda x: student_area(x, df)),
        lambda areas: areas[1] / areas[2]
    );
