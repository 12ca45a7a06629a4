-- The number of a byte in two hexadecimal digits.
-- digits: text of digits
-- place: where it begins
CREATE OR REPLACE MACRO byte_number(digits, place) AS
    16 * strpos('123456789abcdef', substring(digits, place, 1))
    + strpos('123456789abcdef', substring(digits, place + 1, 1));
