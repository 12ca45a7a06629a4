-- The share with which k of n or more are seen with the probability tail: a quantile of the Beta distribution with the
--     parameters k and n - k + 1.
-- k, n: whole numbers
-- tail: above 0 and below 1/2
CREATE OR REPLACE MACRO lowest_share(k, n, tail) AS
    CASE
        WHEN k = 0 THEN 0e0
        ELSE k / (k + (n - k + 1e0) * exp(
            share_quantile(tail, k, n - k + 1e0) * sqrt(1e0 / (k) + 1e0 / (n - k + 1e0))
        ))
    END;
