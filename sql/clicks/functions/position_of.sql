-- A position on a page: 1, 2, …; 0 if the value is not a whole number, NULL if there is none.
-- value: the column position
CREATE OR REPLACE MACRO position_of(value) AS
    CASE
        WHEN value IS NULL THEN NULL
        WHEN TRY_CAST(value AS DOUBLE) = TRY_CAST(value AS BIGINT) THEN TRY_CAST(value AS BIGINT)
        ELSE 0
    END;
