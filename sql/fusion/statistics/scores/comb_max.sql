-- The highest score.
-- relation: candidates
-- formula: max over runs: weight · score
-- source: Fox and Shaw 1993, Combination of Multiple Searches, TREC-2
CREATE OR REPLACE MACRO comb_max(c) AS
    max(c.weight * c.score);
