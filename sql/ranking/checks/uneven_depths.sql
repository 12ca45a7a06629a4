-- Runs whose lists differ in length or are shorter than those of the deepest run; deep cut-offs favour long lists.
-- severity: warning
-- qrels: judgments, as for judged; the runs are compared with each other
-- run: as for judged; retrieved documents of all runs
CREATE OR REPLACE MACRO uneven_depths(qrels, run) AS TABLE
SELECT
    _r.*,
    concat(
        'run ', _r.run_id, ' has ', _r.shortest, ' to ', _r.longest, ' documents per query',
        ' (median ', in_digits(_r.typical), '); the deepest run has ', _r.deepest
    ) AS problem
FROM (
    SELECT
        _n.run_id,
        min(_n.number) AS shortest,
        avg(CASE WHEN 2 * _n.place BETWEEN _n.queries AND _n.queries + 2 THEN 1e0 * _n.number END) AS typical,
        max(_n.number) AS longest,
        max(max(_n.number)) OVER () AS deepest
    FROM (
        SELECT
            _c.run_id,
            _c.number,
            row_number() OVER (PARTITION BY _c.run_id ORDER BY _c.number ASC, _c.query_id ASC) AS place,
            count(*) OVER (PARTITION BY _c.run_id) AS queries
        FROM (
            SELECT _d.run_id, _d.query_id, count(*) AS number
            FROM retrieved(run) AS _d
            GROUP BY _d.run_id, _d.query_id
        ) AS _c
    ) AS _n
    GROUP BY _n.run_id
) AS _r
WHERE _r.shortest < _r.deepest;
