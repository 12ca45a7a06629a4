-- The covariance of pairs of numbers, with n - 1.
-- y, x: the numbers
-- redshift: (power(stddev_samp(y + x), 2) - power(stddev_samp(y - x), 2)) / 4e0
-- sqlite: (sum(1e0 * x * y) - 1e0 * sum(x) * sum(y) / count(x)) / nullif(count(x) - 1e0, 0)
CREATE OR REPLACE MACRO covariance_of(y, x) AS covar_samp(y, x);
