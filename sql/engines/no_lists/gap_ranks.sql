-- Gaps between ranks with a row for each rank within them.
-- gaps: rows with run_id, query_id, rank and next_rank
-- run: as for judged; retrieved documents, one for each rank
CREATE OR REPLACE MACRO gap_ranks(gaps, run) AS TABLE
SELECT
    _g.*,
    _n.place
FROM query_table(gaps) AS _g
INNER JOIN (
    SELECT
        _r.run_id,
        _r.query_id,
        row_number() OVER (PARTITION BY _r.run_id, _r.query_id ORDER BY _r.doc_id ASC) AS place
    FROM retrieved(run) AS _r
) AS _n
    ON _g.run_id = _n.run_id AND _g.query_id = _n.query_id AND _g.rank < _n.place AND _g.next_rank > _n.place;
