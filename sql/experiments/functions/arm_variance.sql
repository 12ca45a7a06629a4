-- The squared standard error of an arm's ratio, by the delta method; NULL for fewer than 2 users.
-- a: rows of arms
-- arm: 0 for the control, 1 for the variant
CREATE OR REPLACE MACRO arm_variance(a, arm) AS
    ratio_spread(of_arm(a, arm, a.numerator), of_arm(a, arm, a.denominator))
    / nullif(power(avg(of_arm(a, arm, a.denominator)), 2), 0) / arm_size(a, arm);
