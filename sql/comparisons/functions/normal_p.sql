-- The two-sided p-value of a standard normal z; the area of a half is √(π / 2).
-- z: the statistic
CREATE OR REPLACE MACRO normal_p(z) AS normal_area(abs(z)) / 1.2533141373155003e0;
