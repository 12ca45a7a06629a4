-- A number, or the end of a range that it is beyond; NULL if it is NULL.
-- x: the number
-- lowest, highest: the ends of the range
CREATE OR REPLACE MACRO clipped(x, lowest, highest) AS
    CASE WHEN x < lowest THEN lowest WHEN x > highest THEN highest ELSE x END;
