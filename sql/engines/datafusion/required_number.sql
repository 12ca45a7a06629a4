-- A column of a table, which has it, as numbers, with a single zero: this engine sorts -0.0 below 0.0.
-- value: the column
-- input, name, others: not used here
CREATE OR REPLACE MACRO required_number(input, name, value, others) AS CAST(value AS DOUBLE) + 0e0;
