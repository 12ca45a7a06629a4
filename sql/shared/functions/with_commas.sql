-- A whole number as text, with commas between thousands.
-- x: the number
-- no_lists: CAST(x AS VARCHAR)
CREATE OR REPLACE MACRO with_commas(x) AS format('{:,}', x);
