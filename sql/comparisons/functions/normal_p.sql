-- The two-sided p-value of a standard normal z.
-- z: the statistic
CREATE OR REPLACE MACRO normal_p(z) AS normal_area(abs(z)) / sqrt(pi() / 2e0);
