-- Documents that appear more than once in a query's list; ranks below them would be wrong.
-- severity: error
-- remedy: keep each document once per query; if the table holds several runs, name the run column run_id
-- option: repeated='first' or --repeated first keeps the best row of each
-- run: as for judged; retrieved documents
-- returns times: number of times the document appears
CREATE OR REPLACE MACRO repeated_documents(run) AS TABLE
SELECT
    _d.run_id,
    _d.query_id,
    _d.doc_id,
    count(*) AS times,
    concat(
        'document ', _d.doc_id, ' appears ', count(*), ' times for query ', _d.query_id,
        ' in run ' || nullif(_d.run_id, 'run'), nothing_found(_d.doc_id)
    ) AS problem
FROM retrieved(run) AS _d
-- hashes sort quickly; ids are compared only where two hashes are equal
WHERE hash(_d.run_id, _d.query_id, _d.doc_id) IN (
    SELECT _s.id
    FROM (
        SELECT _h.id, lag(_h.id) OVER (ORDER BY _h.id ASC) AS previous_id
        FROM (SELECT hash(_r.run_id, _r.query_id, _r.doc_id) AS id FROM retrieved(run) AS _r) AS _h
    ) AS _s
    WHERE _s.id = _s.previous_id
)
    AND _d.query_id IS NOT NULL AND _d.doc_id IS NOT NULL
GROUP BY _d.run_id, _d.query_id, _d.doc_id
HAVING count(*) > 1;
