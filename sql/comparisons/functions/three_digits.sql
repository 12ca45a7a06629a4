-- A number in a message with its first three digits, as text.
-- x: the number
-- no_lists: x
CREATE OR REPLACE MACRO three_digits(x) AS printf('%.3g', x);
