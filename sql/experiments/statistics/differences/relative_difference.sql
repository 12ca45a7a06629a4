-- The difference as a share of the control's mean.
-- relation: arms
-- formula: variant_mean / control_mean - 1; NULL if the control's mean is 0
CREATE OR REPLACE MACRO relative_difference(a) AS arm_mean(a, 1) / nullif(arm_mean(a, 0), 0) - 1e0;
