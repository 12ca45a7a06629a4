-- Documents that stand more than once in a query's list; ranks below them would be wrong.
-- run: retrieved documents, as for judged
-- times: how often the document stands there
CREATE OR REPLACE MACRO repeated_documents(run) AS TABLE
SELECT d.run_id, d.query_id, d.doc_id, count(*) AS times
FROM retrieved(run) AS d
-- hashes are cheap to count; only where one repeats are the ids themselves compared
WHERE hash(d.run_id, d.query_id, d.doc_id) IN (
    SELECT hash(h.run_id, h.query_id, h.doc_id) AS id
    FROM retrieved(run) AS h
    GROUP BY id
    HAVING count(*) > 1
)
GROUP BY d.run_id, d.query_id, d.doc_id
HAVING count(*) > 1;
