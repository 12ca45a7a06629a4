-- A number from 1 on with few digits, as text.
-- x: the number
-- no_lists: CAST(CAST(x AS BIGINT) AS VARCHAR)
CREATE OR REPLACE MACRO whole_text(x) AS format('{:g}', x);
