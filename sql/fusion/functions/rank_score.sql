-- The share of a list that is at this rank or below.
-- s: rows of scored_lists
-- formula: 1 − (rank − 1) / retrieved
CREATE OR REPLACE MACRO rank_score(s) AS 1e0 - 1e0 * (s.rank - 1) / s.num_ret;
