-- Every query that has results in a run or judgments, and which of the two it has.
-- qrels: as for judged; judgments
-- run: as for judged; retrieved documents
-- returns run_id, query_id: one row per run and query
-- returns judged: 1 if the query has judgments, else 0
-- returns has_results: 1 if the run retrieved anything for the query, else 0
CREATE OR REPLACE MACRO query_coverage(qrels, run) AS TABLE
SELECT
    _c.run_id,
    _c.query_id,
    max(_c.judged) AS judged,
    max(_c.has_results) AS has_results
FROM (
    SELECT
        _d.run_id,
        _d.query_id,
        0 AS judged,
        1 AS has_results
    FROM retrieved(run) AS _d
    UNION ALL
    SELECT
        _u.run_id,
        _q.query_id,
        1 AS judged,
        0 AS has_results
    FROM (SELECT DISTINCT _r.run_id FROM retrieved(run) AS _r) AS _u
    CROSS JOIN (SELECT DISTINCT _j.query_id FROM judgments(qrels) AS _j) AS _q
) AS _c
GROUP BY _c.run_id, _c.query_id;
