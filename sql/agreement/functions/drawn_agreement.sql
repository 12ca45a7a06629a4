-- Rows of agreed or rated, and bootstrap samples of them, if there is enough to draw from: equal ones counted together.
-- agreed: rows of agreed or rated
-- resample: 'queries' or 'documents'; what is drawn
-- samples, seed: as for resampled_queries
-- returns sample: 0, 1, …; -1 for the rows themselves
-- returns units: how many queries or documents there are to draw from
CREATE OR REPLACE MACRO drawn_agreement(agreed, resample, samples, seed) AS TABLE
WITH _counted AS MATERIALIZED (
    SELECT
        CASE WHEN resample = 'queries' THEN _a.query_id ELSE concat(_a.query_id, chr(0), _a.doc_id) END AS query_id,
        NULL AS document,
        _a.* EXCLUDE (query_id, doc_id, document, times),
        CAST(sum(_a.times) AS BIGINT) AS times
    FROM query_table(agreed) AS _a
    GROUP BY ALL
), _units AS MATERIALIZED (
    SELECT count(DISTINCT _c.query_id) AS units FROM _counted AS _c
), _enough AS (
    SELECT _c.* FROM _counted AS _c
    CROSS JOIN _units AS _u
    WHERE _u.units >= 6
)
SELECT
    _u.units,
    _s.* EXCLUDE (query_id, times),
    CAST(sum(_s.times) AS BIGINT) AS times
FROM (
    SELECT
        -1 AS sample,
        _c.*
    FROM _counted AS _c
    UNION ALL
    SELECT * FROM resampled_queries(_enough, samples := samples, seed := seed)
) AS _s
CROSS JOIN _units AS _u
GROUP BY ALL;
