-- The items that could be recommended, with their vectors.
-- items: table or file with the columns doc_id and features, a list of numbers
-- returns features: may be NULL
-- returns given: the value in the table, as text
-- needs: doc_id, features
CREATE OR REPLACE MACRO listed_features(items) AS TABLE
SELECT
    CAST(_i.doc_id AS VARCHAR) COLLATE C AS doc_id,
    TRY_CAST(_i.features AS DOUBLE[]) AS features,
    nullif(CAST(_i.features AS VARCHAR), '') AS given
FROM with_columns(items, { 'doc_id': NULL, 'features': NULL }) AS _i;
