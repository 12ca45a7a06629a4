-- The weight of each run.
-- run: retrieved documents, as for candidates
-- returns run_id: one row each
-- returns weight, lowest: the largest and the smallest in its rows; 1 without a column weight
-- returns unreadable: how many of them are not numbers
CREATE OR REPLACE MACRO run_weights(run) AS TABLE
SELECT
    coalesce(CAST(_r.run_id AS VARCHAR), 'run') COLLATE C AS run_id,
    coalesce(max(number_or_null(_r.weight)), 1e0) AS weight,
    coalesce(min(number_or_null(_r.weight)), 1e0) AS lowest,
    count(_r.weight) - count(number_or_null(_r.weight)) AS unreadable
FROM with_columns(run, { 'run_id': NULL, 'weight': NULL }) AS _r
GROUP BY _r.run_id;
