-- What a row has in a column, for a message: no score, or the score 'abc'.
-- name: name of the column
-- value: what it holds, as text
CREATE OR REPLACE MACRO given_value(name, value) AS
    CASE WHEN value IS NULL THEN concat('no ', name) ELSE concat('the ', name, ' ''', value, '''') END;
