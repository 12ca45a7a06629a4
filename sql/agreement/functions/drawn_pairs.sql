-- How often each pair of ratings occurs, and in bootstrap samples of queries or documents, if there are enough to draw
--     from: as resampled_queries draws.
-- pairs: rows with a, b, weight, and unit: the number of the query or document, from 0
-- samples, seed: as for resampled_queries
-- returns sample: 0, 1, …; -1 for the rows themselves
-- returns units: how many there are to draw from
-- returns a, b, weight: the pairs of the sample, one row each
CREATE OR REPLACE MACRO drawn_pairs(pairs, samples, seed) AS TABLE
WITH _numbered AS MATERIALIZED (
    SELECT DISTINCT
        _p.unit,
        max(_p.unit) OVER () + 1 AS units
    FROM query_table(pairs) AS _p
), _drawn AS (
    SELECT
        _s.number - 1 AS sample,
        _u.units,
        _u.unit,
        drawn_place(concat(seed, ':', _s.number - 1, ':', _u.unit), _u.units) AS place
    FROM _numbered AS _u
    CROSS JOIN range(0, samples + 1) AS _s (number)
    WHERE _u.units >= 6 OR _s.number = 0
), _places AS (
    SELECT
        _d.sample,
        _d.units,
        CASE WHEN _d.sample = -1 THEN _d.unit ELSE _d.place END AS unit
    FROM _drawn AS _d
), _counts AS (
    SELECT
        _p.sample,
        _p.units,
        _p.unit,
        count(*) AS times
    FROM _places AS _p
    GROUP BY _p.sample, _p.units, _p.unit
)
SELECT
    _c.sample,
    _c.units,
    _p.a,
    _p.b,
    sum(_c.times * _p.weight) AS weight
FROM query_table(pairs) AS _p
INNER JOIN _counts AS _c ON _p.unit = _c.unit
WHERE _p.weight > 0
GROUP BY _c.sample, _c.units, _p.a, _p.b;
