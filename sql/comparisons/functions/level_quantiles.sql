-- Tests with the quantiles of Student's t for the margin of error, t, and for the power of a detectable difference,
--     t_power.
-- levels: as for tested
CREATE OR REPLACE MACRO level_quantiles(levels) AS TABLE
SELECT
    _q.* EXCLUDE (quantiles),
    _q.quantiles[1] AS t,
    _q.quantiles[2] AS t_power
FROM (
    SELECT
        _l.*,
        -- at once: DuckDB plans each in 15 ms
        CASE
            WHEN _l.queries > 1 AND _l.varies
                THEN list_transform(
                    [1e0 - _l.confidence, 2e0 * (1e0 - 8e-1)],
                    lambda a: student_quantile(a, _l.df)
                )
        END AS quantiles
    FROM query_table(levels) AS _l
) AS _q;
