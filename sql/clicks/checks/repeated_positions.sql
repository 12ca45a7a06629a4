-- Positions that two documents of a page share, for example because a JOIN with the clicks repeated the rows.
-- severity: error
-- remedy: keep one row for each document shown; if there is a row for each click, group them
-- log: as for clicked
-- returns times: how many documents there are
CREATE OR REPLACE MACRO repeated_positions(log) AS TABLE
SELECT
    CAST(_s.page_id AS VARCHAR) AS page_id,
    _s.position,
    count(*) AS times,
    concat(
        'page ', _s.page_id, ' has ', count(*), ' documents at position ', _s.position, ': ',
        min(_s.doc_id), ' and ', max(_s.doc_id)
    ) AS problem
FROM shown(log) AS _s
WHERE
    _s.position IS NOT NULL AND _s.page_id IN (
        SELECT _r.page_id
        FROM shown(log) AS _r
        WHERE _r.position >= 1
        GROUP BY _r.page_id, _r.position // 120
        HAVING some_repeat(_r.position)
    )
GROUP BY _s.page_id, _s.position
HAVING count(*) > 1;
