-- The Pearson correlation of pairs of numbers.
-- y, x: the numbers
-- sqlite: covariance_of(y, x) / nullif(sqrt(variance_of(y)) * sqrt(variance_of(x)), 0)
CREATE OR REPLACE MACRO correlation_of(y, x) AS corr(y, x);
