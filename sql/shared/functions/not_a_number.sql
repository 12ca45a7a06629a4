-- Whether a number is not a number, which to some engines is above all others and to others neither above nor below.
-- x: the number
CREATE OR REPLACE MACRO not_a_number(x) AS NOT (x <= 0 OR -x <= 0);
