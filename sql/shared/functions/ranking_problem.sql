-- What is wrong with the rows of a group that a metric scores; NULL if they are those of one whole ranking.
-- metric: its name
-- ranking_rows: column that holds the number of rows of each ranking in one of its rows, and 0 in the others
-- run_id, query_id: columns
-- pooled: whether several rankings are allowed
-- can_pool: whether the metric is defined over the rows of several rankings together
CREATE OR REPLACE MACRO ranking_problem(metric, ranking_rows, run_id, query_id, pooled, can_pool) AS
    CASE
        WHEN count(CASE WHEN ranking_rows > 0 THEN 1 END) > 1 AND NOT pooled AND min(query_id) <> max(query_id)
            THEN concat(
                metric, ': a group has rows of several queries, such as ', min(query_id), ' and ', max(query_id),
                '; use GROUP BY j.run_id, j.query_id',
                CASE WHEN can_pool THEN ', or pooled := TRUE to score all rankings as one' END
            )
        WHEN count(CASE WHEN ranking_rows > 0 THEN 1 END) > 1 AND NOT pooled AND min(run_id) <> max(run_id)
            THEN concat(
                metric, ': a group has rows of several runs, such as ', min(run_id), ' and ', max(run_id),
                '; use GROUP BY j.run_id, j.query_id',
                CASE WHEN can_pool THEN ', or pooled := TRUE to score all rankings as one' END
            )
        WHEN
            sum(ranking_rows) <> count(ranking_rows)
            OR count(CASE WHEN ranking_rows > 0 THEN 1 END) > CASE
                WHEN pooled THEN count(DISTINCT CASE WHEN pooled AND ranking_rows > 0 THEN row(run_id, query_id) END)
                ELSE 1
            END
            THEN concat(
                metric, ': a group must have each row of query ', min(query_id), ' in run ', min(run_id),
                ' exactly once; a WHERE, a JOIN or another GROUP BY has split or repeated the rows. ',
                'For a cut-off, use a parameter such as k or depth'
            )
    END;
