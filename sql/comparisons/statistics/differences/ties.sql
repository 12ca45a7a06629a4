-- The number of queries on which the run and the baseline score the same.
-- relation: paired
-- formula: queries with |difference| ≤ within
CREATE OR REPLACE MACRO ties(p) AS count(CASE WHEN p.outcome = 0 THEN 1 END);
