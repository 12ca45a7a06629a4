-- Runs whose weight cannot be used.
-- severity: error
-- remedy: the weight of a run is a finite number, the same in all its rows
-- run: as for candidates
-- returns weight: NULL if it is not a number, or not the same in all rows
CREATE OR REPLACE MACRO unusable_weights(run) AS TABLE
SELECT
    _w.run_id,
    CASE WHEN _w.is_one_number THEN _w.weight END AS weight,
    concat(
        'the weight of run ', _w.run_id, ' is ',
        CASE WHEN _w.is_one_number THEN CAST(_w.weight AS VARCHAR) ELSE 'not a number, or not one number' END
    ) AS problem
FROM (
    SELECT
        _r.*,
        NOT not_a_number(_r.weight) AND _r.lowest = _r.weight AND _r.unreadable = 0 AS is_one_number
    FROM run_weights(run) AS _r
) AS _w
WHERE NOT (_w.is_one_number AND isfinite(_w.weight));
