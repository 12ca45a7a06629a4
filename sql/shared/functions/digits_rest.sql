-- The rest of a whole number in hexadecimal digits by another: of the last eight bytes, the lowest first, as
--     md5_number_lower reads them.
-- digits: 32 digits, as of md5
-- n: whole number, from 1 to 2147483647
CREATE OR REPLACE MACRO digits_rest(digits, n) AS
    (digits_number(digits, 25) % n * 4294967296 + digits_number(digits, 17)) % n;
