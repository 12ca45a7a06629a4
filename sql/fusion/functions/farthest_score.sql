-- How far from 0 a score of a list is at most.
-- s: rows of scored_lists
CREATE OR REPLACE MACRO farthest_score(s) AS CASE WHEN s.highest > -s.lowest THEN s.highest ELSE -s.lowest END;
