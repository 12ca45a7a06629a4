-- Every document that any run retrieved for a query, next to every run that has the query, to be fused by votes.
-- run: as for candidates; retrieved documents
-- depth: as for judged; number of documents of each run to keep per query
-- refuses: unusable_documents, repeated_documents, unusable_weights
-- groups: query_id, doc_id
-- once: run_id
-- returns run_id, query_id, doc_id: one row each
-- returns rank: 1, 2, … as for candidates; NULL if the run did not retrieve it
-- returns num_ret: documents that the run retrieved for the query
-- returns num_candidates: documents that any run retrieved for the query
-- returns score: the Borda normalization, 1 - (rank - 1) / num_candidates; documents that the run did not retrieve
--     share what is left
-- returns weight: of the run
CREATE OR REPLACE MACRO ballots(run, depth BIGINT := NULL) AS TABLE
WITH _ranked AS (
    SELECT * FROM rankings(run, depth := depth)
), _documents AS (
    SELECT
        _d.query_id,
        _d.doc_id,
        count(*) OVER (PARTITION BY _d.query_id) AS num_candidates
    FROM (SELECT DISTINCT _r.query_id, _r.doc_id FROM _ranked AS _r) AS _d
), _lists AS (
    SELECT
        _r.run_id,
        _r.query_id,
        count(*) AS num_ret
    FROM _ranked AS _r
    GROUP BY _r.run_id, _r.query_id
)
SELECT
    _w.run_id,
    _d.query_id,
    _d.doc_id,
    _r.rank,
    _l.num_ret,
    _d.num_candidates,
    1e0 - coalesce(
        1e0 * (_r.rank - 1),
        (_d.num_candidates + _l.num_ret - 1) / 2e0
    ) / _d.num_candidates AS score,
    _w.weight
FROM _documents AS _d
INNER JOIN _lists AS _l ON _d.query_id = _l.query_id
INNER JOIN run_weights(run) AS _w ON _l.run_id = _w.run_id
LEFT JOIN _ranked AS _r
    ON _w.run_id = _r.run_id AND _d.query_id = _r.query_id AND _d.doc_id = _r.doc_id;
