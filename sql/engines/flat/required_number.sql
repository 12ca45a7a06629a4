-- A column of a table, which has it, as numbers.
-- value: the column
-- input, name, others: not used here
CREATE OR REPLACE MACRO required_number(input, name, value, others) AS CAST(value AS DOUBLE);
