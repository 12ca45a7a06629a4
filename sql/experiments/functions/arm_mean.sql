-- The ratio of an arm.
-- a: rows of arms
-- arm: 0 for the control, 1 for the variant
CREATE OR REPLACE MACRO arm_mean(a, arm) AS
    sum(of_arm(a, arm, a.numerator)) / nullif(sum(of_arm(a, arm, a.denominator)), 0);
