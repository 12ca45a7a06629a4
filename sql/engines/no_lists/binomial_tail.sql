-- The probability of k or fewer heads in n throws of a fair coin: a part of a Beta distribution, without a term for each.
-- k, n: whole numbers
-- source: Abramowitz and Stegun 1964, 26.5.24
CREATE OR REPLACE MACRO binomial_tail(k, n) AS
    CASE
        WHEN (k) < 0 THEN 0e0
        WHEN (k) >= (n) THEN 1e0
        ELSE let(
            1e0 * greatest((k) + 1, (n) - (k)),
            lambda a: let(
                1e0 * least((k) + 1, (n) - (k)),
                lambda b: let(
                    share_area(ln(a / b) / sqrt(1e0 / a + 1e0 / b), a, b)
                    / (share_area(0e0, a, b) + share_area(0e0, b, a)),
                    lambda tail: CASE WHEN 2 * (k) < (n) THEN tail ELSE 1e0 - tail END
                )
            )
        )
    END;
