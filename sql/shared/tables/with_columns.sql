-- The rows of a user's table, with NULL in the columns that it lacks.
-- input: table or file
-- columns: a struct of NULL by the names of the columns that are read
CREATE OR REPLACE MACRO with_columns(input, columns) AS TABLE
SELECT * FROM query_table(input)
UNION ALL BY NAME
SELECT unnest(columns)
WHERE FALSE;
