-- Queries or documents, and bootstrap samples of them, if there are enough to draw from: as resampled_queries draws.
-- judged: rows with query_id and doc_id
-- resample: 'queries' or 'documents'; what is drawn
-- samples, seed: as for resampled_queries
-- returns sample: 0, 1, …; -1 for all as they are
-- returns query_id, document: one row each; document is '' where queries are drawn
-- returns units: how many there are to draw from
-- returns times: how often it was drawn
CREATE OR REPLACE MACRO drawn_units(judged, resample, samples, seed) AS TABLE
WITH _units AS MATERIALIZED (
    SELECT
        _d.query_id,
        _d.document,
        row_number() OVER (ORDER BY _d.query_id ASC, _d.document ASC) - 1 AS place,
        count(*) OVER () AS units
    FROM (
        SELECT DISTINCT
            _j.query_id,
            CASE WHEN resample = 'queries' THEN '' ELSE _j.doc_id END AS document
        FROM query_table(judged) AS _j
    ) AS _d
), _digits_drawn AS (
    SELECT
        _s.number - 1 AS sample,
        _u.units,
        _u.place,
        md5(concat(seed, ':', _s.number - 1, ':', _u.place)) AS digits
    FROM _units AS _u
    CROSS JOIN range(0, samples + 1) AS _s (number)
    WHERE _u.units >= 6 OR _s.number = 0
), _places AS (
    SELECT
        _d.sample,
        CASE WHEN _d.sample = -1 THEN _d.place ELSE digits_rest(_d.digits, _d.units) END AS place
    FROM _digits_drawn AS _d
), _counts AS (
    SELECT
        _p.sample,
        _p.place,
        count(*) AS times
    FROM _places AS _p
    GROUP BY _p.sample, _p.place
)
SELECT
    _c.sample,
    _u.query_id,
    _u.document,
    _u.units,
    _c.times
FROM _counts AS _c
INNER JOIN _units AS _u ON _c.place = _u.place;
