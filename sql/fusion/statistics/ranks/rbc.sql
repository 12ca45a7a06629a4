-- Rank-biased centroid: each run is a user who goes on to the next document with probability p.
-- relation: candidates
-- p: between 0 and 1; persistence
-- tried: p 0.5, 0.8, 0.9, 0.95, 0.98
-- formula: Σ over runs: weight · (1 − p) · p^(rank − 1)
-- source: Bailey, Moffat, Scholer and Thomas 2017, doi:10.1145/3077136.3080839
CREATE OR REPLACE MACRO rbc(c, p DOUBLE := 0.8) AS
    sorted_sum(c.weight * (1e0 - p) * power(1e0 * p, c.rank - 1));
