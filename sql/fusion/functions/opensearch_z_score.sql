-- How many standard deviations a score is above the mean of its list, as by OpenSearch: .001 for those below the mean.
--     A score that is the mean becomes the highest score of the list, as it is.
-- s: rows of scored_lists
-- formula: (score − mean) / s, at least .001, s² = Σ (score − mean)² / (retrieved − 1); highest where the score is the
--     mean
CREATE OR REPLACE MACRO opensearch_z_score(s) AS
    CASE
        WHEN s.height = s.mean THEN s.highest
        WHEN s.height < s.mean THEN 1e-3
        ELSE ratio(s.height - s.mean, sqrt(s.squares / nullif(s.num_ret - 1, 0)))
    END;
