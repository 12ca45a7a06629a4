-- Whether a document was clicked: 1 or 0; -1 if the value is neither this nor a truth value, NULL if there is none.
-- value: the column clicked
CREATE OR REPLACE MACRO click_of(value) AS
    CASE
        WHEN value IS NULL THEN NULL
        WHEN TRY_CAST(value AS DOUBLE) = 0 OR lower(CAST(value AS VARCHAR)) = 'false' THEN 0
        WHEN TRY_CAST(value AS DOUBLE) = 1 OR lower(CAST(value AS VARCHAR)) = 'true' THEN 1
        ELSE -1
    END;
