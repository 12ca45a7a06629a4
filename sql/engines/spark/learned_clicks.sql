-- The two chances of a click by the position-based model: Spark has no windows in a recursive query, so that each
--     iteration is a row, with the documents as a list and the examination by position as a map.
-- cells, steps: as for the other file of this name, which returns the same rows
CREATE OR REPLACE MACRO learned_clicks(cells, steps) AS TABLE
WITH RECURSIVE _documents AS (
    SELECT
        _c.document,
        array_agg(struct_pack(position := _c.position, pages := _c.pages, clicks := _c.clicks)) AS cells
    FROM query_table(cells) AS _c
    GROUP BY _c.document
), _start AS (
    SELECT
        array_agg(struct_pack(document := _d.document, cells := _d.cells, attraction := 5e-1)) AS documents
    FROM _documents AS _d
), _positions AS (
    SELECT map_from_entries(array_agg(struct_pack(position := _p.position, examination := 5e-1))) AS examined
    FROM (SELECT DISTINCT _c.position FROM query_table(cells) AS _c) AS _p
), _steps AS (
    SELECT
        _b.documents,
        _p.examined,
        0 AS step
    FROM _start AS _b
    CROSS JOIN _positions AS _p
    UNION ALL
    SELECT
        transform(
            _s.documents,
            lambda d: struct_pack(
                document := d.document,
                cells := d.cells,
                attraction := aggregate( -- noqa: LT01
                    d.cells, 0e0, -- noqa: PRS
                    lambda total, c: total + c.clicks + (c.pages - c.clicks)
                    * unseen_chance(d.attraction, element_at(_s.examined, c.position))
                ) / aggregate(d.cells, 0e0, lambda total, c: total + c.pages) -- noqa: LT01, PRS
            )
        ) AS documents,
        transform_values( -- noqa: PRS
            _s.examined,
            lambda place, x: aggregate(
                _s.documents, 0e0,
                lambda total, d: aggregate(
                    d.cells, total,
                    lambda part, c: part + CASE
                        WHEN c.position = place
                            THEN c.clicks + (c.pages - c.clicks) * unseen_chance(x, d.attraction)
                        ELSE 0e0
                    END
                )
            ) / aggregate(
                _s.documents, 0e0,
                lambda total, d: aggregate(
                    d.cells, total, lambda part, c: part + CASE WHEN c.position = place THEN c.pages ELSE 0 END
                )
            )
        ) AS examined,
        _s.step + 1 AS step
    FROM _steps AS _s
    WHERE _s.step < steps
)
SELECT
    _e.document,
    _e.cell.position,
    _e.cell.pages,
    _e.cell.clicks,
    _e.attraction,
    element_at(_e.examined, _e.cell.position) AS examination
FROM (
    SELECT
        _d.document.document,
        _d.document.attraction,
        unnest(_d.document.cells) AS cell,
        _d.examined
    FROM (
        SELECT
            unnest(_s.documents) AS document,
            _s.examined
        FROM _steps AS _s
        WHERE _s.step = steps
    ) AS _d
) AS _e;
