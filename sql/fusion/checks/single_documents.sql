-- Runs with lists of one document, whose score min_max makes 0, the lowest.
-- severity: warning
-- run: as for candidates
-- returns lists: how many there are
CREATE OR REPLACE MACRO single_documents(run) AS TABLE
SELECT
    _l.run_id,
    count(*) AS lists,
    concat(
        _l.run_id, ': ', with_commas(count(*)), CASE WHEN count(*) = 1 THEN ' list has' ELSE ' lists have' END,
        ' one document, whose score min_max makes 0, the lowest'
    ) AS problem
FROM (
    SELECT
        _r.run_id,
        _r.query_id
    FROM retrieved(run) AS _r
    GROUP BY _r.run_id, _r.query_id
    HAVING count(*) = 1
) AS _l
GROUP BY _l.run_id
ORDER BY run_id ASC;
