-- Rows with each rank from 1 to their depth.
-- depths: rows with a depth, k or that of a list
-- run: as for judged; retrieved documents, one for each rank
-- k: the depth of all rows, or NULL if each has its own
CREATE OR REPLACE MACRO depth_ranks(depths, run, k) AS TABLE
SELECT
    _d.*,
    _n.rank
FROM query_table(depths) AS _d
INNER JOIN (
    SELECT _s.rank
    FROM range(1, coalesce(k, 0) + 1) AS _s (rank)
    WHERE k IS NOT NULL
    UNION ALL
    SELECT DISTINCT row_number() OVER (PARTITION BY _r.run_id, _r.query_id ORDER BY _r.doc_id ASC) AS rank
    FROM retrieved(run) AS _r
    WHERE k IS NULL
) AS _n ON _d.depth >= _n.rank;
