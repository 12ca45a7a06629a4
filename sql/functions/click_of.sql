-- Whether a document was clicked: 1 or 0; NaN if the value is not a number and not a truth value, NULL if there is none.
-- value: the column clicked
CREATE OR REPLACE MACRO click_of(value) AS
    coalesce(CASE WHEN TRY_CAST(value AS DOUBLE) IS NULL THEN TRY_CAST(TRY_CAST(value AS BOOLEAN) AS DOUBLE) END, number_or_nan(value));
