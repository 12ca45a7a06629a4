-- The p-value of a difference of two means; NULL if nothing varies and there is a difference.
-- difference: the difference, minus the one to test against
-- u, v: the squared standard errors of the means
-- m, n: how many values each mean is of
-- alternative: 'two-sided', 'greater' or 'less'
CREATE OR REPLACE MACRO welch_p(difference, u, m, v, n, alternative) AS
    let( -- noqa: PRS
        difference, sqrt(u + v), welch_df(u, m, v, n),
        lambda gap, error, df: CASE
            WHEN error > 0 THEN one_sided(student_p(gap / error, df), gap, alternative)
            WHEN error = 0 AND gap = 0 THEN 1e0
        END
    );
