-- A number with its first two digits, as text.
-- x: the number, 0 or more
CREATE OR REPLACE MACRO two_digits(x) AS format('{:.2g}', x);
