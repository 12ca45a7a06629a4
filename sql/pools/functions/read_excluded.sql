-- The documents that are left out of a run, each once.
-- exclude: table or file with the columns query_id, doc_id
-- returns query_id, doc_id: as text
CREATE OR REPLACE MACRO read_excluded(exclude) AS TABLE
SELECT DISTINCT
    CAST(require_column('exclude', 'query_id', _e.query_id, _e._columns) AS VARCHAR) COLLATE C AS query_id,
    CAST(require_column('exclude', 'doc_id', _e.doc_id, _e._columns) AS VARCHAR) COLLATE C AS doc_id
FROM (
    SELECT
        _t.*,
        struct_keys(_t) AS _columns
    FROM query_table(exclude) AS _t
    UNION ALL BY NAME
    SELECT
        NULL AS query_id,
        NULL AS doc_id
    WHERE FALSE
) AS _e;
