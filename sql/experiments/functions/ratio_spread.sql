-- The variance of y - r · x, r the ratio of their sums; 0 if it is not more than rounding.
-- y, x: numerators and denominators
CREATE OR REPLACE MACRO ratio_spread(y, x) AS
    CASE
        WHEN count(y) < 2 THEN NULL
        WHEN NOT has_spread(y) AND NOT has_spread(x) THEN 0e0
        WHEN
            var_samp(y) - 2e0 * sum(y) / sum(x) * covar_samp(y, x) + power(sum(y) / sum(x), 2) * var_samp(x)
            <= 1e-13 * (var_samp(y) + power(sum(y) / sum(x), 2) * var_samp(x))
            THEN 0e0
        ELSE var_samp(y) - 2e0 * sum(y) / sum(x) * covar_samp(y, x) + power(sum(y) / sum(x), 2) * var_samp(x)
    END;
