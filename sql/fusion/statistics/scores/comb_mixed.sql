-- The sum of the scores, times the square root of the number of runs that have the document.
-- relation: candidates
-- formula: √runs · Σ over runs: weight · score
-- source: Wu and Crestani 2002, doi:10.1145/584792.584908
CREATE OR REPLACE MACRO comb_mixed(c) AS sqrt(1e0 * count(*)) * sorted_sum(c.weight * c.score);
