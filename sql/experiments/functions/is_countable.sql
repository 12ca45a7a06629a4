-- Whether a value of a user is a number that can be squared and divided by others.
-- value: the number
CREATE OR REPLACE MACRO is_countable(value) AS coalesce(abs(value) <= 1e60, FALSE);
