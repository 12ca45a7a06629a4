-- The number of users of an arm.
-- a: rows of arms
-- arm: 0 for the control, 1 for the variant
CREATE OR REPLACE MACRO arm_size(a, arm) AS count(CASE WHEN a.treated = arm THEN 1 END);
