-- The items that could be recommended, with their vectors.
-- items: table or file with the columns doc_id and features, a list of numbers
-- returns features: may be NULL
-- returns given: the value in the table, as text
CREATE OR REPLACE MACRO listed_features(items) AS TABLE
SELECT
    required_text('items', 'doc_id', _i.doc_id, _i._columns) AS doc_id,
    TRY_CAST(require_column('items', 'features', _i.features, _i._columns) AS DOUBLE[]) AS features,
    nullif(CAST(_i.features AS VARCHAR), '') AS given
FROM with_columns(items, { 'doc_id': NULL, 'features': NULL }) AS _i;
