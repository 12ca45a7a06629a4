-- Documents that appear more than once in a query's list; ranks below them would be wrong.
-- run: as for the other file of this name, which returns the same rows
CREATE OR REPLACE MACRO repeated_documents(run) AS TABLE
SELECT
    _d.run_id,
    _d.query_id,
    _d.doc_id,
    count(*) AS times,
    concat(
        'document ', _d.doc_id, ' appears ', count(*), ' times for query ', _d.query_id,
        CASE WHEN _d.run_id = 'run' THEN '' ELSE concat(' in run ', _d.run_id) END, nothing_found(_d.doc_id)
    ) AS problem
FROM retrieved(run) AS _d
WHERE _d.query_id IS NOT NULL AND _d.doc_id IS NOT NULL
GROUP BY _d.run_id, _d.query_id, _d.doc_id
HAVING count(*) > 1;
