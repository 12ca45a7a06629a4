-- The difference: how much higher the variant's mean is than the control's.
-- relation: arms
-- formula: variant_mean - control_mean
CREATE OR REPLACE MACRO variant_difference(a) AS arm_mean(a, 1) - arm_mean(a, 0);
