-- The document of each passage.
-- mapping: table or file with the columns passage_id, doc_id
-- returns passage_id, doc_id: as text
-- needs: passage_id, doc_id
CREATE OR REPLACE MACRO read_passages(mapping) AS TABLE
SELECT
    CAST(_m.passage_id AS VARCHAR) COLLATE C AS passage_id,
    CAST(_m.doc_id AS VARCHAR) COLLATE C AS doc_id
FROM with_columns(mapping, { 'passage_id': NULL, 'doc_id': NULL }) AS _m;
