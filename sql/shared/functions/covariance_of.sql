-- The covariance of pairs of numbers, with n - 1.
-- y, x: the numbers
-- redshift: (power(stddev_samp(y + x), 2) - power(stddev_samp(y - x), 2)) / 4e0
-- sqlite: sum((y - avg(y) OVER ()) * (x - avg(x) OVER ())) / nullif(count(x) - 1e0, 0)
CREATE OR REPLACE MACRO covariance_of(y, x) AS covar_samp(y, x);
