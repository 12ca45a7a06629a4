-- The standard deviation of numbers, with n - 1.
-- x: the numbers
-- sqlite: sqrt(variance_of(x))
-- clickhouse: CASE WHEN count(x) > 1 THEN stddev_samp(x) END
CREATE OR REPLACE MACRO deviation_of(x) AS stddev_samp(x);
