-- Positions that appear more than once in an examination.
-- severity: error
-- remedy: keep one examination of each position
-- examination: as for replayed
-- returns times: how many there are
CREATE OR REPLACE MACRO repeated_examination(examination) AS TABLE
SELECT
    _e.position,
    count(*) AS times,
    concat('position ', _e.position, ' has ', count(*), ' rows') AS problem
FROM query_table(examination) AS _e
WHERE _e.position IS NOT NULL
GROUP BY _e.position
HAVING count(*) > 1;
