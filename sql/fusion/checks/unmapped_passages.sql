-- Passages that a run retrieved and the mapping does not have.
-- severity: error
-- remedy: add them to the mapping
-- run: as for passages
-- mapping: as for passages
CREATE OR REPLACE MACRO unmapped_passages(run, mapping) AS TABLE
SELECT
    _r.run_id,
    _r.query_id,
    _r.doc_id,
    concat('passage ', _r.doc_id, ' of query ', _r.query_id, ' in run ', _r.run_id, ' is not mapped') AS problem
FROM retrieved(run) AS _r
LEFT JOIN read_passages(mapping) AS _m ON _r.doc_id = _m.passage_id
WHERE _m.passage_id IS NULL;
