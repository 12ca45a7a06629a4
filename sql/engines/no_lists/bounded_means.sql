-- The mean of the scores of each run, with the ends of its interval, without lists.
-- rows, alpha: as for the other file of this name, which returns the same rows
CREATE OR REPLACE MACRO bounded_means(rows, alpha) AS TABLE
SELECT
    _p.metric,
    _p.segment,
    _p.run_id,
    count(*) AS queries,
    effective_queries(_p) AS effective_queries,
    avg(_p.score) AS mean,
    spread(_p) AS spread,
    CASE
        WHEN _p.has_limits THEN mean_end(_p, _p.lowest, _p.highest, 1e0 - alpha, effective_queries(_p), -1e0)
        WHEN varies(_p)
            THEN let(
                avg(_p.score) - weighted_margin(_p, alpha),
                lambda low: CASE WHEN low < _p.lowest THEN _p.lowest ELSE low END
            )
    END AS low,
    CASE
        WHEN _p.has_limits THEN mean_end(_p, _p.lowest, _p.highest, 1e0 - alpha, effective_queries(_p), 1e0)
        WHEN varies(_p)
            THEN let(
                avg(_p.score) + weighted_margin(_p, alpha),
                lambda high: CASE WHEN high > _p.highest THEN _p.highest ELSE high END
            )
    END AS high
FROM query_table(rows) AS _p
GROUP BY _p.metric, _p.segment, _p.run_id, _p.lowest, _p.highest, _p.has_limits;
