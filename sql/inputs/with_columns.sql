-- The rows of a user's table, with NULL in the columns that it lacks.
-- input: table or file
-- columns: a struct of NULL by the names of the columns that are read
-- returns _columns: the names of the table's own columns
CREATE OR REPLACE MACRO with_columns(input, columns) AS TABLE
SELECT
    _t.*,
    struct_keys(_t) AS _columns
FROM query_table(input) AS _t
UNION ALL BY NAME
SELECT unnest(columns)
WHERE FALSE;
