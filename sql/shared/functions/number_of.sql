-- A number as a DOUBLE; NULL for text, TRUE, a list and all else.
-- x: the value
CREATE OR REPLACE MACRO number_of(x) AS
    CASE WHEN typeof(x) NOT IN ('VARCHAR', 'BOOLEAN') THEN TRY_CAST(CAST(x AS VARCHAR) AS DOUBLE) END;
