-- The weight of each run.
-- run: relation with the columns run_id, query_id, doc_id, score and, if runs differ in weight, weight
-- weighted: whether it has a column weight
CREATE OR REPLACE MACRO run_weights(run, weighted := FALSE) AS TABLE
SELECT
    coalesce(CAST(_r.run_id AS VARCHAR), 'run') COLLATE C AS run_id,
    CASE WHEN weighted THEN coalesce(max(CAST(_r.weight AS DOUBLE)), 1e0) ELSE 1e0 END AS weight
FROM query_table(run) AS _r
GROUP BY _r.run_id;
