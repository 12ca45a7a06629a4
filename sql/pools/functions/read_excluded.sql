-- The documents that are left out of a run, each once.
-- exclude: table or file with the columns query_id, doc_id
-- returns query_id, doc_id: as text
-- needs: query_id, doc_id
CREATE OR REPLACE MACRO read_excluded(exclude) AS TABLE
SELECT DISTINCT
    CAST(_e.query_id AS VARCHAR) COLLATE C AS query_id,
    CAST(_e.doc_id AS VARCHAR) COLLATE C AS doc_id
FROM with_columns(exclude, { 'query_id': NULL, 'doc_id': NULL }) AS _e;
