-- The variance of numbers, with n - 1.
-- x: the numbers
-- no_lists: power(deviation_of(x), 2)
-- sqlite: sum(power(x - avg(x) OVER (), 2)) / nullif(count(x) - 1e0, 0)
CREATE OR REPLACE MACRO variance_of(x) AS var_samp(x);
