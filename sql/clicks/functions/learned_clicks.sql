-- The two chances of a click by the position-based model, after some iterations of expectation maximisation.
-- cells: rows with document, position, pages and clicks
-- steps: 0 or more; iterations
-- returns document, position, pages, clicks: one row each
-- returns attraction: of the document
-- returns examination: of the position
CREATE OR REPLACE MACRO learned_clicks(cells, steps) AS TABLE
WITH RECURSIVE _steps USING KEY (document, position) AS ( -- noqa: PRS
    SELECT
        _c.*,
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
        _a.attraction,
        _x.examination,
        _e.step + 1
    FROM _steps AS _e
    INNER JOIN (
        SELECT
            _d.document,
            sum(_d.clicks + (_d.pages - _d.clicks) * unseen_chance(_d.attraction, _d.examination))
            / sum(_d.pages) AS attraction
        FROM _steps AS _d
        GROUP BY _d.document
    ) AS _a ON _e.document = _a.document
    INNER JOIN (
        SELECT
            _p.position,
            sum(_p.clicks + (_p.pages - _p.clicks) * unseen_chance(_p.examination, _p.attraction))
            / sum(_p.pages) AS examination
        FROM _steps AS _p
        GROUP BY _p.position
    ) AS _x ON _e.position = _x.position
    WHERE _e.step < steps
)

SELECT * EXCLUDE (step) FROM _steps;
