-- Documents that stand more than once in a query's list; ranks below them would be wrong.
-- run: retrieved documents, as for judged
-- times: how often the document stands there
CREATE OR REPLACE MACRO repeated_documents(run) AS TABLE
SELECT _d.run_id, _d.query_id, _d.doc_id, count(*) AS times
FROM retrieved(run) AS _d
-- hashes are cheap to count; only where one repeats are the ids themselves compared
WHERE hash(_d.run_id, _d.query_id, _d.doc_id) IN (
    SELECT hash(_h.run_id, _h.query_id, _h.doc_id) AS id
    FROM retrieved(run) AS _h
    GROUP BY id
    HAVING count(*) > 1
)
GROUP BY _d.run_id, _d.query_id, _d.doc_id
HAVING count(*) > 1;
