-- An end of the interval of mean_interval.
-- p, lowest, highest, confidence, effective: as for mean_interval
-- side: -1e0 for the lower end, 1e0 for the upper one
CREATE OR REPLACE MACRO mean_end(p, lowest, highest, confidence, effective, side) AS
    mean_interval(p, lowest, highest, confidence := confidence, effective := effective)[
        CASE WHEN side < 0 THEN 1 ELSE 2 END
    ];
