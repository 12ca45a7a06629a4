-- The standard error of prediction_powered_mean.
-- relation: estimated
-- formula: √(w² · variance of automatic / queries without human + variance of (human - w · automatic) / queries with
--     human)
-- range: 0 to ∞
-- source: Angelopoulos, Duchi and Zrnic 2023, arXiv:2311.01453
CREATE OR REPLACE MACRO prediction_powered_error(s) AS
    max(s.scale) * sqrt(
        power(prediction_weight(s), 2)
        * coalesce(
            var_samp(CASE WHEN s.human IS NULL THEN s.automatic / s.scale END)
            / nullif(count(*) - count(s.human), 0),
            0e0
        )
        + greatest(
            0e0,
            var_samp(s.human / s.scale)
            - 2e0 * prediction_weight(s)
            * covar_samp(s.human / s.scale, CASE WHEN s.human IS NOT NULL THEN s.automatic / s.scale END)
            + power(prediction_weight(s), 2)
            * var_samp(CASE WHEN s.human IS NOT NULL THEN s.automatic / s.scale END)
        ) / count(s.human)
    );
