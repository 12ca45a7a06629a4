-- Positions with clicks whose examination is not known.
-- severity: error
-- remedy: give the examination of every position that has clicks, or leave out the pages with clicks below
-- log: as for clicked
-- examination: as for replayed
CREATE OR REPLACE MACRO unknown_examination(log, examination) AS TABLE
SELECT
    _s.position,
    concat(
        'no examination above 0 and up to 1 for position ', _s.position, ' (clicks: ', count(*), ')',
        coalesce('; it is ' || max(_e.examination), '')
    ) AS problem
FROM shown(log) AS _s
LEFT JOIN query_table(examination) AS _e ON _s.position = _e.position
WHERE _s.clicked = 1 AND (_e.examination IS NULL OR NOT (_e.examination > 0 AND _e.examination <= 1))
GROUP BY _s.position;
