-- The items that could be recommended, with their vectors.
-- items: table or file with the columns doc_id and features, a list of numbers
-- returns features: may be NULL
CREATE OR REPLACE MACRO listed_features(items) AS TABLE
SELECT
    CAST(require_column('items', 'doc_id', _i.doc_id, _i._columns) AS VARCHAR) COLLATE C AS doc_id,
    CAST(require_column('items', 'features', _i.features, _i._columns) AS DOUBLE[]) AS features
FROM (
    SELECT
        _t.*,
        struct_keys(_t) AS _columns
    FROM query_table(items) AS _t
    UNION ALL BY NAME
    SELECT
        NULL AS doc_id,
        NULL AS features
    WHERE FALSE
) AS _i;
