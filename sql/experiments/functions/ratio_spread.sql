-- The variance of y - r · x, r the ratio of their sums; 0 if it is not more than rounding.
-- y, x: numerators and denominators
CREATE OR REPLACE MACRO ratio_spread(y, x) AS
    CASE
        WHEN count(y) < 2 THEN NULL
        WHEN NOT has_spread(y) AND NOT has_spread(x) THEN 0e0
        ELSE let(
            sum(y) / sum(x),
            lambda r: let(
                variance_of(y) - 2e0 * r * covariance_of(y, x) + r * r * variance_of(x),
                lambda spread: CASE
                    WHEN spread > 1e-13 * (variance_of(y) + r * r * variance_of(x)) THEN spread
                    ELSE 0e0
                END
            )
        )
    END;
