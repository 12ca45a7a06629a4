-- The mean of two shares of the same documents, found / first and found / second.
-- found, first, second: how many
-- mean: 'arithmetic' or 'geometric'
CREATE OR REPLACE MACRO mean_share(found, first, second, mean) AS
    CASE mean
        WHEN 'arithmetic' THEN (1e0 * found / nullif(first, 0) + 1e0 * found / nullif(second, 0)) / 2
        WHEN 'geometric' THEN 1e0 * found / nullif(sqrt(1e0 * first) * sqrt(1e0 * second), 0)
        ELSE error(concat('mean is ''arithmetic'' or ''geometric'', not ''', mean, ''''))
    END;
