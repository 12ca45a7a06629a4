-- The lowest score of the runs that have the document.
-- relation: candidates
-- formula: min over runs: weight · score
-- source: Fox and Shaw 1993, Combination of Multiple Searches, TREC-2
CREATE OR REPLACE MACRO comb_min(c) AS
    min(c.weight * c.score);
