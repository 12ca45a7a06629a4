-- How many times as many users make the difference of two means nearly normal, in one digit; NULL if it is.
-- skew, m, n: as for the other file of this name
CREATE OR REPLACE MACRO skewed_times(skew, m, n) AS
    let(
        power(skew * (1e0 / n / n - 1e0 / m / m) / power(1e0 / n + 1e0 / m, 1.5e0), 2) / 1e-1,
        lambda times: CASE
            WHEN times > 1
                THEN floor(times / power(1e1, floor(ln(times) / ln(1e1))) + 5e-1)
                    * power(1e1, floor(ln(times) / ln(1e1)))
        END
    );
