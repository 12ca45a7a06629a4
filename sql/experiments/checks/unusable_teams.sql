-- Documents of interleaved pages whose team is unknown, and logs in which one of the teams is missing.
-- severity: error
-- remedy: team is 'a' or 'b', or NULL for documents of both
-- pages: as for team_credit
-- method: as for interleaving; pages that are credited by the other method are not checked
CREATE OR REPLACE MACRO unusable_teams(pages, method VARCHAR := 'team') AS TABLE
SELECT
    _l.page_id,
    concat('team ''', _l.team, ''' on page ', _l.page_id) AS problem
FROM interleaved(pages) AS _l
WHERE _l.team NOT IN ('a', 'b') AND coalesce(method, _l.fitting) = 'team'
UNION ALL
SELECT
    NULL AS page_id,
    CASE
        WHEN max(CASE WHEN _l.has_team THEN 1 ELSE 0 END) = 0 THEN 'no column team'
        WHEN count(_l.team) = 0 THEN 'no document is of a team'
        ELSE concat('all documents with a team are of ''', min(_l.team), '''')
    END AS problem
FROM interleaved(pages) AS _l
WHERE coalesce(method, _l.fitting) = 'team'
HAVING count(DISTINCT _l.team) < 2 AND count(*) > 0;
