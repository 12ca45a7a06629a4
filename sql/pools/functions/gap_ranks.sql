-- Gaps between ranks with a row for each rank within them.
-- gaps: rows with run_id, query_id, rank and next_rank
-- run: not used here; retrieved documents, as for judged
-- returns place: each rank after rank and before next_rank
CREATE OR REPLACE MACRO gap_ranks(gaps, run) AS TABLE
SELECT
    _g.*,
    unnest(range(_g.rank + 1, _g.next_rank)) AS place
FROM query_table(gaps) AS _g;
