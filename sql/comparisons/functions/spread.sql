-- The standard deviation of the differences, with n - 1.
-- p: rows of paired
CREATE OR REPLACE MACRO spread(p) AS deviation_of(p.difference / p.scale) * max(p.scale);
