-- The number of users of the variant.
-- relation: arms
-- formula: users with treated = 1
CREATE OR REPLACE MACRO variant_users(a) AS arm_size(a, 1);
