-- The median score of the runs that have the document.
-- relation: candidates
-- formula: median over runs: weight · score
-- source: Fox and Shaw 1993, Combination of Multiple Searches, TREC-2
CREATE OR REPLACE MACRO comb_med(c) AS
    percentile_of(c.weight * c.score, 50);
