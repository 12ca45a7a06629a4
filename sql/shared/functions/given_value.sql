-- The value in a column of a row, for a message: no score, or score 'abc'.
-- name: name of the column
-- value: the value, as text
CREATE OR REPLACE MACRO given_value(name, value) AS
    CASE WHEN value IS NULL THEN concat('no ', name) ELSE concat(name, ' ''', value, '''') END;
