-- The documents that are left out of a run, each once.
-- exclude: table or file with the columns query_id, doc_id
-- returns query_id, doc_id: as text
CREATE OR REPLACE MACRO read_excluded(exclude) AS TABLE
SELECT DISTINCT
    required_text('exclude', 'query_id', _e.query_id, _e._columns) AS query_id,
    required_text('exclude', 'doc_id', _e.doc_id, _e._columns) AS doc_id
FROM with_columns(exclude, { 'query_id': NULL, 'doc_id': NULL }) AS _e;
