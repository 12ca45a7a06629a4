-- The whole number of four bytes in hexadecimal digits, the lowest first.
-- digits: text of digits
-- place: where it begins
CREATE OR REPLACE MACRO digits_number(digits, place) AS
    CAST(
        byte_number(digits, place)
        + 256e0 * byte_number(digits, place + 2)
        + 65536e0 * byte_number(digits, place + 4)
        + 16777216e0 * byte_number(digits, place + 6)
        AS BIGINT
    );
