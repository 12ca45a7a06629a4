-- A column of a user's table as numbers, NULL where it has none, or, if it is missing, an error that lists the columns.
-- input, name, value, others: as for require_column
CREATE OR REPLACE MACRO required_number(input, name, value, others) AS
    TRY_CAST(require_column(input, name, value, others) AS DOUBLE);
