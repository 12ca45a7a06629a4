-- The number of queries that the run wins.
-- relation: paired
-- formula: queries with difference > within
CREATE OR REPLACE MACRO wins(p) AS count(CASE WHEN p.outcome = 1 THEN 1 END);
