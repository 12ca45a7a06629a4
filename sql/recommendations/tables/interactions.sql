-- What users had before: which user had which item.
-- history: table or file with the columns query_id (the user) and doc_id (the item)
-- returns query_id, doc_id: as text; as often as in the table
-- needs: query_id, doc_id
CREATE OR REPLACE MACRO interactions(history) AS TABLE
SELECT
    CAST(_h.query_id AS VARCHAR) COLLATE C AS query_id,
    CAST(_h.doc_id AS VARCHAR) COLLATE C AS doc_id
FROM with_columns(history, { 'query_id': NULL, 'doc_id': NULL }) AS _h;
