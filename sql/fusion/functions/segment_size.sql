-- How many ranks a segment has; NULL without an end.
-- segments: as for segment_of; 'doubling' or 'growing'
-- segment: 1, 2, …
CREATE OR REPLACE MACRO segment_size(segments, segment) AS
    CASE
        WHEN segments = 'doubling' AND segment <= 10 THEN 5e0 * power(2, segment - 1)
        WHEN segments = 'growing' THEN CASE segment
            WHEN 5 THEN 10e0
            WHEN 6 THEN 70e0
            WHEN 7 THEN 100e0
            WHEN 8 THEN 300e0
            WHEN 9 THEN 500e0
            ELSE CASE WHEN segment <= 4 THEN 5e0 END
        END
    END;
