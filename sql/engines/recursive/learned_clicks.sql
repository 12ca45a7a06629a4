-- The two chances of a click by the position-based model, by windows over the rows of the iteration before.
-- cells, steps: as for the other file of this name, which returns the same rows
CREATE OR REPLACE MACRO learned_clicks(cells, steps) AS TABLE
WITH RECURSIVE _steps AS (
    SELECT
        _c.document,
        _c.position,
        _c.pages,
        _c.clicks,
        5e-1 AS attraction,
        5e-1 AS examination,
        0 AS step
    FROM query_table(cells) AS _c
    UNION ALL
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
        / sum(_e.pages) OVER (PARTITION BY _e.position) AS examination,
        _e.step + 1 AS step
    FROM _steps AS _e
    WHERE _e.step < steps
)
SELECT
    _e.document,
    _e.position,
    _e.pages,
    _e.clicks,
    _e.attraction,
    _e.examination
FROM _steps AS _e
WHERE _e.step = steps;
