-- The run without some documents, such as those that a user already had.
-- run: table with the columns query_id, doc_id
-- exclude: table of the documents to leave out: query_id, doc_id
CREATE OR REPLACE MACRO without(run, exclude) AS TABLE
SELECT _d.*
FROM query_table(run) AS _d
LEFT JOIN read_excluded(exclude) AS _e
    ON CAST(_d.query_id AS VARCHAR) COLLATE C = _e.query_id AND CAST(_d.doc_id AS VARCHAR) COLLATE C = _e.doc_id
WHERE _e.doc_id IS NULL;
