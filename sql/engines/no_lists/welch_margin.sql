-- Half the width of the confidence interval of a difference of two means, without lists.
-- u, v: the squared standard errors of the means
-- m, n: how many values each mean is of
-- confidence: between 0 and 1
CREATE OR REPLACE MACRO welch_margin(u, m, v, n, confidence) AS
    let( -- noqa: PRS
        sqrt(u + v), welch_df(u, m, v, n),
        lambda error, df: CASE
            WHEN error > 0 THEN student_quantile(1e0 - confidence, df) * error
            ELSE error
        END
    );
