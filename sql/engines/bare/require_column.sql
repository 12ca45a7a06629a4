-- A column of a table, which has it.
-- value: the column
-- input, name, others: not used here
CREATE OR REPLACE MACRO require_column(input, name, value, others) AS value;
