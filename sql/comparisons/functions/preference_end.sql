-- An end of the interval of preference_interval.
-- p, confidence: as for preference_interval
-- side: -1 for the lower end, 1 for the upper one
CREATE OR REPLACE MACRO preference_end(p, confidence, side) AS
    preference_interval(p, confidence := confidence)[CASE WHEN side < 0 THEN 1 ELSE 2 END];
