-- A segment in a message; NULL where there are none.
-- segment: the segment
CREATE OR REPLACE MACRO in_segment(segment) AS
    CASE WHEN segment IS NOT NULL THEN concat(' in segment ', CAST(segment AS VARCHAR)) END;
