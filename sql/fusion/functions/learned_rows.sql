-- The rows of candidates, with how likely documents of their segment are to be relevant.
-- qrels, training, rel, segments, number, depth: as for segment_chances
-- run: retrieved documents, as for candidates
-- returns segment: 1, 2, …
-- returns share: as for segment_chances; 0 for a segment that no list had
-- returns num_runs: runs in the table
CREATE OR REPLACE MACRO learned_rows(qrels, training, run, rel, segments, number, depth) AS TABLE
SELECT
    _c.run_id,
    _c.query_id,
    _c.doc_id,
    _c.score,
    _c.rank,
    _c.num_ret,
    _c.segment,
    coalesce(_s.share, 0e0) AS share,
    _n.num_runs
FROM (
    SELECT
        _d.*,
        segment_of(segments, _d.rank, _d.num_ret, number) AS segment
    FROM candidates(run, depth := depth) AS _d
) AS _c
CROSS JOIN (SELECT count(DISTINCT _r.run_id) AS num_runs FROM retrieved(run) AS _r) AS _n
LEFT JOIN segment_chances(qrels, training, rel, segments, number, depth) AS _s
    ON _c.run_id = _s.run_id AND _c.segment = _s.segment;
