-- The two-sided p-value of Student's t: both tails as a share of the whole.
-- t: the statistic
-- df: degrees of freedom
CREATE OR REPLACE MACRO student_p(t, df) AS
    let( -- noqa: PRS
        abs(t), df, lambda statistic, df: student_area(statistic, df) / student_area(0, df)
    );
