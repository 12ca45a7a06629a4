-- A column of a table, which has it, as numbers, NULL where it has none.
-- value: the column
-- input, name, others: not used here
CREATE OR REPLACE MACRO required_number(input, name, value, others) AS TRY_CAST(value AS DOUBLE);
