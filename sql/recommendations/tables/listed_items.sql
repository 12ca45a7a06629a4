-- The items that could be recommended, as often as the table has them.
-- items: table or file with the column doc_id
-- needs: doc_id
CREATE OR REPLACE MACRO listed_items(items) AS TABLE
SELECT CAST(_i.doc_id AS VARCHAR) COLLATE C AS doc_id
FROM with_columns(items, { 'doc_id': NULL }) AS _i;
