-- The standard error of prediction_powered_mean.
-- relation: estimated
-- formula: √(w² · variance of automatic / queries without human + variance of (human - w · automatic) / queries with
--     human)
-- range: 0 to ∞
-- source: Angelopoulos, Duchi and Zrnic 2023, arXiv:2311.01453
CREATE OR REPLACE MACRO prediction_powered_error(s) AS
    sqrt(
        power(prediction_weight(s), 2)
        * coalesce(var_samp(CASE WHEN s.human IS NULL THEN s.automatic END) / nullif(count(*) - count(s.human), 0), 0e0)
        + greatest(
            0e0,
            var_samp(s.human)
            - 2e0 * prediction_weight(s) * covar_samp(s.human, CASE WHEN s.human IS NOT NULL THEN s.automatic END)
            + power(prediction_weight(s), 2) * var_samp(CASE WHEN s.human IS NOT NULL THEN s.automatic END)
        ) / count(s.human)
    );
