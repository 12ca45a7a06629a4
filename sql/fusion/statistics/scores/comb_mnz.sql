-- The sum of the scores, times the number of runs that have the document.
-- relation: candidates
-- formula: Σ over runs: score · Σ over runs: weight
-- source: Fox and Shaw 1993, Combination of Multiple Searches, TREC-2
CREATE OR REPLACE MACRO comb_mnz(c) AS
    sorted_sum(c.score) * sorted_sum(c.weight);
