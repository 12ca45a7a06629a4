-- The weight of each run.
-- run: retrieved documents, as for candidates
-- returns run_id: one row each
-- returns weight: 1 without a column weight; NaN if it is not a number, or not the same in all rows of a run
CREATE OR REPLACE MACRO run_weights(run) AS TABLE
SELECT
    coalesce(CAST(_r.run_id AS VARCHAR), 'run') COLLATE C AS run_id,
    CASE
        WHEN min(number_or_nan(_r.weight)) < max(number_or_nan(_r.weight)) THEN CAST('nan' AS DOUBLE)
        ELSE coalesce(max(number_or_nan(_r.weight)), 1e0)
    END AS weight
FROM with_columns(run, { 'run_id': NULL, 'weight': NULL }) AS _r
GROUP BY _r.run_id;
