-- An end of the interval of move_interval.
-- b, confidence: as for move_interval
-- side: -1 for the lower end, 1 for the upper one
CREATE OR REPLACE MACRO move_end(b, confidence, side) AS
    move_interval(b, confidence := confidence)[CASE WHEN side < 0 THEN 1 ELSE 2 END];
