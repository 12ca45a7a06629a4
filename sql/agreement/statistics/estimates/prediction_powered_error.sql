-- The standard error of prediction_powered_mean, with m - 2 degrees of freedom: 0 if people judged all queries; NULL if
--     they judged fewer than 3 of more.
-- relation: estimated
-- formula: √((1 - m / n) · Σ ((human - w · automatic) - their mean)² / (m - 2) / m), over the m of n queries with human
-- range: 0 to ∞
-- source: Cochran 1977, Sampling Techniques, chapter 7
CREATE OR REPLACE MACRO prediction_powered_error(s) AS
    CASE
        WHEN count(s.human) = count(*) THEN 0e0
        WHEN count(s.human) > 2
            THEN max(s.scale) * sqrt(
                (1e0 - 1e0 * count(s.human) / count(*)) / (count(s.human) - 2e0)
                * (count(s.human) - 1e0) / count(s.human) * greatest(
                    0e0,
                    variance_of(s.human / s.scale)
                    - 2e0 * prediction_weight(s)
                    * covariance_of(s.human / s.scale, CASE WHEN s.human IS NOT NULL THEN s.automatic / s.scale END)
                    + power(prediction_weight(s), 2)
                    * variance_of(CASE WHEN s.human IS NOT NULL THEN s.automatic / s.scale END)
                )
            )
    END;
