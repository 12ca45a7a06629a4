-- The standard deviation of the differences, with n - 1.
-- p: rows of paired
-- no_lists: CASE WHEN count(*) > 1 THEN stddev_samp(p.difference / p.scale) * max(p.scale) END
-- sqlite: sqrt((sum(p.difference / p.scale * p.difference / p.scale) - sum(p.difference / p.scale)
--     * sum(p.difference / p.scale) / count(*)) / (count(*) - 1)) * max(p.scale)
CREATE OR REPLACE MACRO spread(p) AS stddev_samp(p.difference / p.scale) * max(p.scale);
