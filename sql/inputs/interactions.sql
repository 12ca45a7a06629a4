-- What users had before: which user had which item.
-- history: table or file with the columns query_id (the user) and doc_id (the item)
-- returns query_id, doc_id: as text; as often as in the table
CREATE OR REPLACE MACRO interactions(history) AS TABLE
SELECT
    required_text('history', 'query_id', _h.query_id, _h._columns) AS query_id,
    required_text('history', 'doc_id', _h.doc_id, _h._columns) AS doc_id
FROM with_columns(history, { 'query_id': NULL, 'doc_id': NULL }) AS _h;
