-- The rows of a table, which has all columns.
-- input: table
-- columns: not used here
CREATE OR REPLACE MACRO with_columns(input, columns) AS TABLE
SELECT _t.* FROM query_table(input) AS _t;
