-- A value as a number; NULL if it is not one.
-- value: a column of a user's table
-- plain: CAST(value AS DOUBLE)
-- spark: TRY_CAST(value AS DOUBLE)
-- datafusion: CAST(value AS DOUBLE) + 0e0
-- sqlite: TRY_CAST(value AS DOUBLE)
CREATE OR REPLACE MACRO number_or_null(value) AS TRY_CAST(value AS DOUBLE);
