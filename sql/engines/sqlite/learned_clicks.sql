-- The two chances of a click by the position-based model: SQLite has no windows in a recursive query, so that each
--     iteration is a row, with its cells as JSON, which keeps 15 digits.
-- cells, steps: as for the other file of this name, which returns the same rows
CREATE OR REPLACE MACRO learned_clicks(cells, steps) AS TABLE
WITH RECURSIVE _steps AS (
    SELECT
        json_group_array(json_array(_c.document, _c.position, _c.pages, _c.clicks, 5e-1, 5e-1)) AS cells,
        0 AS step
    FROM query_table(cells) AS _c
    UNION ALL
    SELECT
        (
            SELECT
                json_group_array(json_array(
                    _n.document, _n.position, _n.pages, _n.clicks, _n.attraction, _n.examination
                ))
            FROM (
                SELECT
                    _e.document,
                    _e.position,
                    _e.pages,
                    _e.clicks,
                    sum(_e.clicks + (_e.pages - _e.clicks) * unseen_chance(_e.attraction, _e.examination))
                        OVER (PARTITION BY _e.document)
                    / sum(_e.pages) OVER (PARTITION BY _e.document) AS attraction,
                    sum(_e.clicks + (_e.pages - _e.clicks) * unseen_chance(_e.examination, _e.attraction))
                        OVER (PARTITION BY _e.position)
                    / sum(_e.pages) OVER (PARTITION BY _e.position) AS examination
                FROM (
                    SELECT
                        _j.value ->> 0 AS document,
                        _j.value ->> 1 AS position,
                        _j.value ->> 2 AS pages,
                        _j.value ->> 3 AS clicks,
                        _j.value ->> 4 AS attraction,
                        _j.value ->> 5 AS examination
                    FROM json_each(_s.cells) AS _j
                ) AS _e
            ) AS _n
        ) AS cells,
        _s.step + 1 AS step
    FROM _steps AS _s
    WHERE _s.step < steps
)
SELECT
    _j.value ->> 0 AS document,
    _j.value ->> 1 AS position,
    _j.value ->> 2 AS pages,
    _j.value ->> 3 AS clicks,
    _j.value ->> 4 AS attraction,
    _j.value ->> 5 AS examination
FROM _steps AS _s
CROSS JOIN json_each(_s.cells) AS _j
WHERE _s.step = steps;
