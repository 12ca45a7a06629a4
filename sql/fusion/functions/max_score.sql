-- A score as a share of the highest of its list, which must be above 0.
-- s: rows of scored_lists
-- formula: score / highest
CREATE OR REPLACE MACRO max_score(s) AS s.score / s.highest;
