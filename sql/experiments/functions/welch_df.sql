-- The degrees of freedom of a difference of two means (Welch and Satterthwaite).
-- u, v: the squared standard errors of the means
-- m, n: the numbers that they are of
CREATE OR REPLACE MACRO welch_df(u, m, v, n) AS
    power(u + v, 2) / nullif(power(u, 2) / nullif(m - 1e0, 0) + power(v, 2) / nullif(n - 1e0, 0), 0);
