-- The mean score of the runs that have the document.
-- relation: candidates
-- formula: Σ over runs: weight · score / Σ over runs: weight
-- source: Fox and Shaw 1993, Combination of Multiple Searches, TREC-2
CREATE OR REPLACE MACRO comb_anz(c) AS
    ratio(sorted_sum(c.weight * c.score), sorted_sum(c.weight));
