-- The p-value of a difference of two means; NULL if nothing varies and there is a difference.
-- difference: the difference, minus the one to test against
-- u, v: the squared standard errors of the means
-- m, n: how many values each mean is of
-- alternative: 'two-sided', 'greater' or 'less'
CREATE OR REPLACE MACRO welch_p(difference, u, m, v, n, alternative) AS
    let(
        { 'difference': difference, 'u': u, 'm': m, 'v': v, 'n': n },
        lambda a: let(
            { 'error': sqrt(a.u + a.v), 'df': welch_df(a.u, a.m, a.v, a.n) },
            lambda w: CASE
                WHEN w.error > 0 THEN one_sided(student_p(a.difference / w.error, w.df), a.difference, alternative)
                WHEN w.error = 0 AND a.difference = 0 THEN 1e0
            END
        )
    );
