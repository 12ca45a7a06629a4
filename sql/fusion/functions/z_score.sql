-- How many standard deviations a score is above the mean of its list; all 0 if all are equal.
-- s: rows of scored_lists
-- formula: (score − mean) / standard deviation
CREATE OR REPLACE MACRO z_score(s) AS ratio(s.height - s.mean, sqrt(s.squares / s.num_ret));
