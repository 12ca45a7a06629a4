-- The two-sided p-value of Student's t: both tails as a share of the whole, which needs no constant.
-- t: the statistic
-- df: degrees of freedom
CREATE OR REPLACE MACRO student_p(t, df) AS student_area(abs(t), df) / student_area(0e0, df);
