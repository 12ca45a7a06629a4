-- How many times as many users make the difference of two means nearly normal, in one digit; NULL if it is.
-- skew: skewness of the values
-- m, n: how many values each mean is of
-- formula: the skewness of the difference, s · (1 / n² - 1 / m²) / (1 / n + 1 / m)^1.5, squared, is below 0.1
CREATE OR REPLACE MACRO skewed_times(skew, m, n) AS
    let(
        power(skew * (1e0 / n / n - 1e0 / m / m) / power(1e0 / n + 1e0 / m, 1.5e0), 2) / 1e-1,
        lambda times: CASE WHEN times > 1 THEN CAST(format('{:.1g}', times) AS DOUBLE) END
    );
