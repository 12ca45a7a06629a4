-- The passages that runs retrieved, with the documents that they belong to.
-- run: as for candidates; retrieved passages, whose doc_id is that of the passage
-- mapping: table or file with a row for each passage: passage_id, doc_id
-- refuses: unusable_documents, repeated_documents, repeated_passages, unmapped_passages
-- groups: run_id, query_id, doc_id
-- once: passage_id
-- returns run_id, query_id, doc_id, passage_id: one row each
-- returns score, rank: of the passage
CREATE OR REPLACE MACRO passages(run, mapping) AS TABLE
SELECT
    _r.run_id,
    _r.query_id,
    _m.doc_id,
    _r.doc_id AS passage_id,
    _r.score,
    _r.rank
FROM rankings(run) AS _r
INNER JOIN read_passages(mapping) AS _m ON _r.doc_id = _m.passage_id;
