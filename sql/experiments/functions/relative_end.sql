-- An end of the confidence interval of a relative difference of two means.
-- first, second, u, v, margin: as for relative_ends
-- side: -1 for the lower end, 1 for the upper one
CREATE OR REPLACE MACRO relative_end(first, second, u, v, margin, side) AS
    relative_ends(first, second, u, v, margin)[CASE WHEN side < 0 THEN 1 ELSE 2 END];
