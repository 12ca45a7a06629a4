-- A value as a number; NaN if it is not one, NULL if there is none.
-- value: a column of a user's table
CREATE OR REPLACE MACRO number_or_nan(value) AS
    coalesce(TRY_CAST(value AS DOUBLE), CASE WHEN value IS NOT NULL THEN CAST('nan' AS DOUBLE) END);
