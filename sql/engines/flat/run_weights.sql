-- The weight of each run.
-- run: retrieved documents, as for candidates
CREATE OR REPLACE MACRO run_weights(run) AS TABLE
SELECT
    coalesce(CAST(_r.run_id AS VARCHAR), 'run') COLLATE C AS run_id,
    coalesce(max(CAST(_r.weight AS DOUBLE)), 1e0) AS weight
FROM with_columns(run, { 'run_id': NULL, 'weight': NULL }) AS _r
GROUP BY _r.run_id;
