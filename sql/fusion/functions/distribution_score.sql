-- A score from three standard deviations below the mean of its list, 0, to three above, 1, as by Qdrant; 0.5 if all
--     are equal.
-- s: rows of scored_lists
-- formula: (score − mean + 3 s) / (6 s), s² = Σ (score − mean)² / (retrieved − 1)
CREATE OR REPLACE MACRO distribution_score(s) AS
    5e-1 + ratio(s.height - s.mean, 6e0 * sqrt(s.squares / nullif(s.num_ret - 1, 0)));
