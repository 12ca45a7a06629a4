-- The items that could be recommended, with their vectors.
-- items: table or file with the columns doc_id and features, a list of numbers
CREATE OR REPLACE MACRO listed_features(items) AS TABLE
SELECT
    CAST(_i.doc_id AS VARCHAR) COLLATE C AS doc_id,
    CAST(_i.features AS DOUBLE[]) AS features
FROM query_table(items) AS _i;
