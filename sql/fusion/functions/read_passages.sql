-- The document of each passage.
-- mapping: table or file with the columns passage_id, doc_id
-- returns passage_id, doc_id: as text
CREATE OR REPLACE MACRO read_passages(mapping) AS TABLE
SELECT
    required_text('mapping', 'passage_id', _m.passage_id, _m._columns) AS passage_id,
    required_text('mapping', 'doc_id', _m.doc_id, _m._columns) AS doc_id
FROM with_columns(mapping, { 'passage_id': NULL, 'doc_id': NULL }) AS _m;
