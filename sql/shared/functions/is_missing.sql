-- Whether a table lacks a column: one that was added to its rows without a type still has none.
-- value: the column
CREATE OR REPLACE MACRO is_missing(value) AS
    -- the type of a list is known before any row is read
    typeof([value]) = '"NULL"[]';
