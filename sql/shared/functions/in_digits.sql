-- A number in a message: a whole one without a point.
-- number: the number
-- no_lists: number
CREATE OR REPLACE MACRO in_digits(number) AS
    format('{:g}', number);
