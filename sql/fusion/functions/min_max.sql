-- A score between those of its list: 0 for the lowest, 1 for the highest; all 0 if all are equal.
-- s: rows of scored_lists
-- formula: (score − lowest) / (highest − lowest)
CREATE OR REPLACE MACRO min_max(s) AS s.height;
