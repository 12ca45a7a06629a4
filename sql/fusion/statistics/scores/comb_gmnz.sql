-- The sum of the scores, times a power of the number of runs that have the document.
-- relation: candidates
-- gamma: 0 or more; the power: 0 is comb_sum, 1 is comb_mnz
-- tried: gamma 0.25, 0.5, 2
-- formula: Σ over runs: weight · score · runs^gamma
-- source: Lee 1997, doi:10.1145/258525.258587
CREATE OR REPLACE MACRO comb_gmnz(c, gamma DOUBLE := 0.5) AS
    sorted_sum(c.weight * c.score) * power(1e0 * count(*), gamma);
