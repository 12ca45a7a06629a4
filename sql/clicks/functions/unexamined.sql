-- Positions with clicks whose examination is not above 0 and up to 1.
-- log: as for clicked
-- examination: as for replayed
-- returns position: one row each
-- returns clicks: those at the position
-- returns examination: the one that cannot be used; NULL if there is none
CREATE OR REPLACE MACRO unexamined(log, examination) AS TABLE
SELECT
    _s.position,
    count(*) AS clicks,
    max(_e.examination) AS examination
FROM shown(log) AS _s
LEFT JOIN query_table(examination) AS _e ON _s.position = _e.position
WHERE _s.clicked = 1 AND (_e.examination IS NULL OR NOT (_e.examination > 0 AND _e.examination <= 1))
GROUP BY _s.position;
