-- The mean difference: how much better the run is than the baseline.
-- relation: paired
-- formula: Σ difference / n
CREATE OR REPLACE MACRO mean_difference(p) AS avg(p.difference);
