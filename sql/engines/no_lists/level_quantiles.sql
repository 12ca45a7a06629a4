-- Tests with the quantiles of Student's t for the margin of error and the power, without lists.
-- levels: as for the other file of this name, which returns the same rows
CREATE OR REPLACE MACRO level_quantiles(levels) AS TABLE
SELECT
    _l.*,
    CASE WHEN _l.queries > 1 AND _l.varies THEN student_quantile(1e0 - _l.confidence, _l.df) END AS t,
    CASE WHEN _l.queries > 1 AND _l.varies THEN student_quantile(4e-1, _l.df) END AS t_power
FROM query_table(levels) AS _l;
