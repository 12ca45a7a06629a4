-- The document of each passage.
-- mapping: table or file with the columns passage_id, doc_id
-- returns passage_id, doc_id: as text
CREATE OR REPLACE MACRO read_passages(mapping) AS TABLE
SELECT
    CAST(require_column('mapping', 'passage_id', _m.passage_id, _m._columns) AS VARCHAR) COLLATE C AS passage_id,
    CAST(require_column('mapping', 'doc_id', _m.doc_id, _m._columns) AS VARCHAR) COLLATE C AS doc_id
FROM (
    SELECT
        _t.*,
        struct_keys(_t) AS _columns
    FROM query_table(mapping) AS _t
    UNION ALL BY NAME
    SELECT
        NULL AS passage_id,
        NULL AS doc_id
    WHERE FALSE
) AS _m;
