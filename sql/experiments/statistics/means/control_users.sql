-- The number of users of the control.
-- relation: arms
-- formula: users with treated = 0
CREATE OR REPLACE MACRO control_users(a) AS arm_size(a, 0);
