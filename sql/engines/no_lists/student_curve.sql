-- The density of Student's t, without the constant before it.
-- x, df: as for the other file of this name
CREATE OR REPLACE MACRO student_curve(x, df) AS exp(-(df + 1e0) / 2e0 * ln(1e0 + power(x, 2) / df));
