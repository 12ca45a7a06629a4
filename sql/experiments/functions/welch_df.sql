-- The degrees of freedom of a difference of two means (Welch and Satterthwaite).
-- u, v: the squared standard errors of the means
-- m, n: how many values each mean is of
CREATE OR REPLACE MACRO welch_df(u, m, v, n) AS
    let(
        -- of the shares of the two, since squares of the errors may be too large or too small for a number
        [u / nullif(u + v, 0), v / nullif(u + v, 0)],
        lambda e: 1e0 / nullif(e[1] * e[1] / nullif(m - 1e0, 0) + e[2] * e[2] / nullif(n - 1e0, 0), 0)
    );
