-- The mean of the scores of each run, with the ends of its interval.
-- rows: rows of means, with the limits of the scores and has_limits, whether there are two
-- alpha: as for means
CREATE OR REPLACE MACRO bounded_means(rows, alpha) AS TABLE
SELECT
    _m.* EXCLUDE (ends),
    _m.ends[1] AS low,
    _m.ends[2] AS high
FROM (
    SELECT
        _p.metric,
        _p.segment,
        _p.run_id,
        count(*) AS queries,
        effective_queries(_p) AS effective_queries,
        avg(_p.score) AS mean,
        spread(_p) AS spread,
        CASE
            WHEN _p.has_limits
                -- DuckDB 1.5 refuses the variance of NaN, also where it is not used
                THEN mean_interval(
                    _p, coalesce(_p.lowest, 0e0), coalesce(_p.highest, 1e0), confidence := 1e0 - alpha,
                    effective := effective_queries(_p)
                )
            WHEN varies(_p)
                THEN [
                    greatest(avg(_p.score) - weighted_margin(_p, alpha), _p.lowest),
                    least(avg(_p.score) + weighted_margin(_p, alpha), _p.highest)
                ]
        END AS ends
    FROM query_table(rows) AS _p
    GROUP BY _p.metric, _p.segment, _p.run_id, _p.lowest, _p.highest, _p.has_limits
) AS _m;
