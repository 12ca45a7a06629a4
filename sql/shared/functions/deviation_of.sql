-- The standard deviation of numbers, with n - 1.
-- x: the numbers
-- sqlite: sqrt(variance_of(x))
CREATE OR REPLACE MACRO deviation_of(x) AS stddev_samp(x);
