-- Positions with clicks whose examination is not known.
-- severity: error
-- remedy: give the examination of every position that has clicks, or leave out the pages with clicks below
-- log: as for clicked
-- examination: as for replayed; a table without rows is not checked, since it is then estimated
CREATE OR REPLACE MACRO unknown_examination(log, examination) AS TABLE
SELECT
    _p.position,
    concat(
        'no examination above 0 and up to 1 for position ', _p.position, ' (clicks: ', _p.clicks, ')',
        coalesce('; it is ' || _p.examination, '')
    ) AS problem
FROM unexamined(log, examination) AS _p
WHERE EXISTS (SELECT 1 FROM query_table(examination));
