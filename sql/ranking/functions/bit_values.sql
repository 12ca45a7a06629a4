-- The powers of 2 up to 4,194,304: the values of the bits of a whole number.
-- returns place_value: one row each
CREATE OR REPLACE MACRO bit_values() AS TABLE
SELECT CAST(power(2e0, _n.exponent) AS BIGINT) AS place_value
FROM range(23) AS _n (exponent);
