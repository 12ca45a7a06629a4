-- The probability of k or fewer heads in n throws of a fair coin.
-- k, n: whole numbers
CREATE OR REPLACE MACRO binomial_tail(k, n) AS
    coalesce(
        list_sum(list_transform(
            range((k) + 1),
            lambda i: exp(lgamma(n + 1e0) - lgamma(i + 1e0) - lgamma(n - i + 1e0) - n * ln(2e0))
        )),
        0e0
    );
