-- A column of a user's table as text or, if it is missing, an error that lists the columns.
-- input, name, value, others: as for require_column
CREATE OR REPLACE MACRO required_text(input, name, value, others) AS
    -- ids are compared as bytes, whatever the default collation of the database
    CAST(require_column(input, name, value, others) AS VARCHAR) COLLATE C;
