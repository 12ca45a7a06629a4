-- Runs whose weight cannot be used.
-- severity: error
-- remedy: the weight of a run is a finite number, the same in all its rows
-- run: as for candidates
-- returns weight: NaN if it is not a number, or not the same in all rows
CREATE OR REPLACE MACRO unusable_weights(run) AS TABLE
SELECT
    _w.run_id,
    _w.weight,
    concat(
        'the weight of run ', _w.run_id, ' is ',
        CASE WHEN isnan(_w.weight) THEN 'not a number, or not one number' ELSE CAST(_w.weight AS VARCHAR) END
    ) AS problem
FROM run_weights(run) AS _w
WHERE NOT isfinite(_w.weight);
