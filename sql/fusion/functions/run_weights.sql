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
FROM (
    SELECT * FROM query_table(run)
    UNION ALL BY NAME
    SELECT
        NULL AS run_id,
        NULL AS weight
    WHERE FALSE
) AS _r
GROUP BY _r.run_id;
