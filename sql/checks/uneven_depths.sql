-- Runs whose lists differ in length or are shorter than those of the deepest run; deep cut-offs favour long lists.
-- severity: warning
-- says: run {run_id} has {shortest} to {longest} documents per query (median {typical:g}); the deepest run has
--     {deepest}
-- qrels: judgments, as for judged; the runs are compared with each other
-- run: as for judged; retrieved documents of all runs
CREATE OR REPLACE MACRO uneven_depths(qrels, run) AS TABLE
SELECT *
FROM (
    SELECT
        _n.run_id,
        min(_n.number) AS shortest,
        median(_n.number) AS typical,
        max(_n.number) AS longest,
        max(max(_n.number)) OVER () AS deepest
    FROM (
        SELECT _d.run_id, count(*) AS number
        FROM retrieved(run) AS _d
        GROUP BY _d.run_id, _d.query_id
    ) AS _n
    GROUP BY _n.run_id
) AS _r
WHERE _r.shortest < _r.deepest;
