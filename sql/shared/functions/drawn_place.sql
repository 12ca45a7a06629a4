-- A random whole number, from 0 to below another.
-- text: what it is drawn by: the same text draws the same number on every engine
-- n: whole number, from 1 to 2147483647
-- no_lists: let(md5(text), lambda digits: digits_rest(digits, n))
CREATE OR REPLACE MACRO drawn_place(text, n) AS CAST(md5_number_lower(text) % CAST(n AS UBIGINT) AS BIGINT);
