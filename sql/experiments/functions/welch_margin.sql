-- Half the width of the confidence interval of a difference of two means.
-- u, v: the squared standard errors of the means
-- m, n: how many values each mean is of
-- confidence: between 0 and 1
CREATE OR REPLACE MACRO welch_margin(u, m, v, n, confidence) AS
    let(
        { 'error': sqrt(u + v), 'df': welch_df(u, m, v, n) },
        lambda w: CASE WHEN w.error > 0 THEN student_quantile(1e0 - confidence, w.df) * w.error ELSE w.error END
    );
