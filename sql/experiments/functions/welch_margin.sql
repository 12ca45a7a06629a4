-- Half the width of the confidence interval of a difference of two means.
-- u, v: the squared standard errors of the means
-- m, n: the numbers that they are of
-- confidence: between 0 and 1
CREATE OR REPLACE MACRO welch_margin(u, m, v, n, confidence) AS
    CASE
        WHEN u + v = 0 THEN 0e0
        ELSE list_transform([welch_df(u, m, v, n)], lambda df: student_quantile(1e0 - confidence, df))[1] * sqrt(u + v)
    END;
