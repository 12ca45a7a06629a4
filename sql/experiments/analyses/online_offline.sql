-- Whether an offline metric moves as users do online: the differences of both, query by query.
-- offline: as for paired: scores of queries by metrics such as nDCG
-- online: as for paired: the same runs by what users did, such as clicks per page of each query
-- baseline: the name of a run; the others are compared with it, and without it all runs with each other
-- alpha: between 0 and 1; intervals have a confidence of 1 - alpha
-- returns metric, online_metric, run_id, baseline: two metrics and two runs
-- returns queries: number of queries that both tables have for both runs
-- returns correlation: Pearson's, of the queries' offline and online differences of the run from the baseline; NULL if
--     one of them does not vary
-- returns low, high: interval of the correlation; NULL for fewer than 4 queries, or if it is 1 or -1 within 1e-12
-- returns moved: number of queries that differ both offline and online
-- returns agreement: share of these that differ in the same direction
-- returns note: why the correlation says little, and how many queries were left out
-- source: Fisher 1921, Metron 1, 3-32
-- example: offline.csv online.csv
CREATE OR REPLACE MACRO online_offline(offline, online, baseline VARCHAR := NULL, alpha DOUBLE := 5e-2) AS TABLE
WITH _found AS (
    SELECT
        b.metric,
        b.online_metric,
        b.run_id,
        b.baseline,
        count(*) AS queries,
        move_correlation(b) AS correlation,
        move_end(b, 1e0 - alpha, -1) AS low,
        move_end(b, 1e0 - alpha, 1) AS high,
        moved_queries(b) AS moved,
        move_agreement(b) AS agreement
    FROM bridged(offline, online, baseline := baseline) AS b
    GROUP BY b.metric, b.online_metric, b.run_id, b.baseline
), _left AS (
    SELECT
        count(CASE WHEN _n.query_id IS NULL THEN 1 END) AS only_offline,
        count(CASE WHEN _f.query_id IS NULL THEN 1 END) AS only_online
    FROM (SELECT DISTINCT _x.query_id FROM scored(offline) AS _x) AS _f
    FULL JOIN (SELECT DISTINCT _x.query_id FROM scored(online) AS _x) AS _n ON _f.query_id = _n.query_id
)
SELECT
    _r.metric,
    _r.online_metric,
    _r.run_id,
    _r.baseline,
    _r.queries,
    _r.correlation,
    _r.low,
    _r.high,
    _r.moved,
    _r.agreement,
    joined_notes(
        CASE
            WHEN _r.correlation IS NULL
                THEN 'no correlation, since one of them has the same difference for all queries'
            WHEN _r.low < 0 AND _r.high > 0
                THEN concat(_r.queries, ' queries do not show whether they move together')
        END,
        joined_notes(left_out(_l.only_offline, 'offline'), left_out(_l.only_online, 'online'))
    ) AS note
FROM _found AS _r
INNER JOIN metric_places(offline) AS _f ON _r.metric = _f.metric
INNER JOIN metric_places(online) AS _n ON _r.online_metric = _n.metric
CROSS JOIN _left AS _l
ORDER BY _f.place ASC, _n.place ASC, _r.run_id ASC, _r.baseline ASC;
