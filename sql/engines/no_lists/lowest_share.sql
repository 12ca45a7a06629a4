-- The share with which k of n or more are seen with the probability tail, without lists.
-- k, n, tail: as for the other file of this name
CREATE OR REPLACE MACRO lowest_share(k, n, tail) AS -- noqa: PRS
    CASE
        WHEN (k) = 0 THEN 0e0
        ELSE let(
            1e0 * (k), (n) - (k) + 1e0,
            lambda a, b: a / (a + b * exp(share_quantile(tail, a, b) * sqrt(1e0 / a + 1e0 / b)))
        )
    END;
