-- The degrees of freedom of a difference of two means (Welch and Satterthwaite), without lists.
-- u, v: the squared standard errors of the means
-- m, n: how many values each mean is of
CREATE OR REPLACE MACRO welch_df(u, m, v, n) AS
    let( -- noqa: PRS
        -- of the shares of the two, since squares of the errors may be too large or too small for a number
        u / nullif(u + v, 0), v / nullif(u + v, 0),
        lambda first, second: 1e0
        / nullif(first * first / nullif(m - 1e0, 0) + second * second / nullif(n - 1e0, 0), 0)
    );
