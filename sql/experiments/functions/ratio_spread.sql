-- The variance of y - r · x, r the ratio of their sums; 0 if it is not more than rounding.
-- y, x: numerators and denominators
CREATE OR REPLACE MACRO ratio_spread(y, x) AS
    CASE
        WHEN count(y) < 2 THEN NULL
        WHEN NOT has_spread(y) AND NOT has_spread(x) THEN 0e0
        ELSE let(
            sum(y) / sum(x),
            lambda r: let(
                var_samp(y) - 2e0 * r * covar_samp(y, x) + r * r * var_samp(x),
                lambda spread: CASE WHEN spread > 1e-13 * (var_samp(y) + r * r * var_samp(x)) THEN spread ELSE 0e0 END
            )
        )
    END;
