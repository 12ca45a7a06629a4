-- The mean of the control, or its ratio if there are denominators.
-- relation: arms
-- formula: Σ numerator / Σ denominator over the users of the control
CREATE OR REPLACE MACRO control_mean(a) AS arm_mean(a, 0);
