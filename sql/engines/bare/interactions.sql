-- What users had before: which user had which item.
-- history: table or file with the columns query_id (the user) and doc_id (the item)
CREATE OR REPLACE MACRO interactions(history) AS TABLE
SELECT
    CAST(_h.query_id AS VARCHAR) COLLATE C AS query_id,
    CAST(_h.doc_id AS VARCHAR) COLLATE C AS doc_id
FROM query_table(history) AS _h;
