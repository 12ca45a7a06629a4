-- The sum of the scores, weighted if runs have weights.
-- relation: candidates
-- formula: Σ over runs: weight · score
-- source: Fox and Shaw 1993, Combination of Multiple Searches, TREC-2
CREATE OR REPLACE MACRO comb_sum(c) AS
    sorted_sum(c.weight * c.score);
