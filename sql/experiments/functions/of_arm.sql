-- A value of the users of one arm, NULL of the others.
-- a: rows of arms
-- arm: 0 for the control, 1 for the variant
-- value: the value
CREATE OR REPLACE MACRO of_arm(a, arm, value) AS CASE WHEN a.treated = arm THEN value END;
