-- A score above the lowest of its list, as a share of all that are; all 0 if all are equal.
-- s: rows of scored_lists
-- formula: (score − lowest) / Σ (score − lowest)
CREATE OR REPLACE MACRO sum_score(s) AS ratio(s.height, s.num_ret * s.mean);
