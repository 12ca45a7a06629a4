-- Runs scored with the clicks of a log on other rankings: each click is weighted by how likely its position was to be
--     looked at, so that positions do not matter (inverse propensity scoring).
-- log: as for clicked
-- run: as for judged; retrieved documents
-- examination: optional; position and examination, 0 to 1, such as the rows of examination; without it, it is estimated
--     from the log
-- k: as for ips_dcg
-- clip: as for replayed
-- returns run_id: one row each
-- returns ips_dcg: the DCG per page, if users click exactly the relevant documents they look at
-- returns snips_dcg: the same as a share of what it would be with all of that at rank 1 (self-normalised), which varies
--     less between logs, at the price of a small bias; NULL without clicks
-- returns pages, clicks: of the log
-- returns found_clicks: clicks on documents that the run retrieves for the query
-- returns effective_clicks: how many clicks of equal weight would be as good
-- returns note: a warning if these are few, else NULL
-- source: Joachims, Swaminathan and Schnabel 2017, doi:10.1145/3018661.3018699
-- example: log.csv old.csv new.csv --examination examination.csv
CREATE OR REPLACE MACRO replay(log, run, examination, k BIGINT := NULL, clip DOUBLE := 100) AS TABLE
WITH _given AS (
    SELECT
        _g.position,
        _g.examination
    FROM query_table(examination) AS _g
),

_unexplained AS (
    SELECT _l.*
    FROM query_table(log) AS _l
    WHERE NOT EXISTS (SELECT 1 FROM _given)
),

_curve AS (
    SELECT
        _g.position,
        _g.examination
    FROM _given AS _g
    UNION ALL
    SELECT
        _e.position,
        _e.examination
    FROM examination(_unexplained) AS _e
),

_lacking AS (
    SELECT
        max(CASE WHEN _o.place = 1 THEN _o.position END) AS position,
        max(CASE WHEN _o.place = 1 THEN _o.clicks END) AS clicks,
        count(*) AS positions
    FROM (
        SELECT
            _u.position,
            _u.clicks,
            row_number() OVER (ORDER BY _u.position ASC NULLS LAST) AS place
        FROM unexamined(log, _curve) AS _u
    ) AS _o
)

SELECT
    _r.run_id,
    ips_dcg(_r, k := k) AS ips_dcg,
    snips_dcg(_r, k := k) AS snips_dcg,
    CAST(sum(_r.is_page) AS BIGINT) AS pages,
    CAST(sum(_r.clicked) AS BIGINT) AS clicks,
    count(CASE WHEN _r.clicked = 1 THEN _r.rank END) AS found_clicks,
    effective_clicks(_r) AS effective_clicks,
    CASE
        WHEN effective_clicks(_r) < 100
            THEN concat(
                'only ', CAST(round(effective_clicks(_r)) AS BIGINT), ' effective clicks: do not rely on this score'
            )
    END AS note
FROM replayed(log, run, _curve, clip := clip) AS _r
CROSS JOIN _lacking AS _n
WHERE
    CASE
        WHEN _n.positions > 0
            THEN error(concat(
                'examination could not be estimated for position ', _n.position, ' (clicks: ', _n.clicks, ')',
                CASE WHEN _n.positions > 1 THEN concat(' (and ', _n.positions - 1, ' more like this)') ELSE '' END,
                ', since too few documents are on 20 or more pages at several positions: pass examination ',
                '(--examination), such as what examination returns with a lower least_pages'
            ))
        ELSE 1
    END = 1
GROUP BY _r.run_id
ORDER BY run_id ASC;
