-- The density of Student's t, without the constant before it.
-- x: where
-- df: degrees of freedom
CREATE OR REPLACE MACRO student_curve(x, df) AS exp(-(df + 1e0) / 2e0 * ln_1_plus((x) * (x) / df));
