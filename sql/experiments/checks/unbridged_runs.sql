-- Offline and online scores that do not have two runs, or any query, in common.
-- severity: error
-- remedy: both tables need the same run_id and query_id for the same things
-- offline: as for bridged
-- online: as for bridged
CREATE OR REPLACE MACRO unbridged_runs(offline, online) AS TABLE
SELECT concat(_m.what, ' in both: ', _m.id, ' offline, ', _m.online_id, ' online') AS problem
FROM (
    SELECT
        'fewer than two runs are' AS what,
        (SELECT min(_f.run_id) FROM scored(offline) AS _f) AS id,
        (SELECT min(_n.run_id) FROM scored(online) AS _n) AS online_id,
        (
            SELECT count(DISTINCT _f.run_id) FROM scored(offline) AS _f
            WHERE _f.run_id IN (SELECT _n.run_id FROM scored(online) AS _n)
        ) AS number,
        2 AS needed
    UNION ALL
    SELECT
        'no query is' AS what,
        (SELECT min(_f.query_id) FROM scored(offline) AS _f) AS id,
        (SELECT min(_n.query_id) FROM scored(online) AS _n) AS online_id,
        (
            SELECT count(*) FROM scored(offline) AS _f
            WHERE _f.query_id IN (SELECT _n.query_id FROM scored(online) AS _n)
        ) AS number,
        1 AS needed
) AS _m
WHERE _m.number < _m.needed;
