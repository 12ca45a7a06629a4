-- Whether a table has no such column: one that is added to its rows without a type keeps that lack.
-- value: the column
CREATE OR REPLACE MACRO is_missing(value) AS
    -- the type of a list is known before any row is read
    typeof([value]) = '"NULL"[]';
