-- A number, or the end of a range that it is beyond; NULL if it is NULL.
-- x: the number
-- lowest, highest: the ends of the range
CREATE OR REPLACE MACRO clipped(x, lowest, highest) AS
    CASE WHEN x IS NOT NULL THEN greatest(lowest, least(highest, x)) END;
