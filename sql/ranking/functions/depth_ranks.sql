-- Rows with each rank from 1 to their depth.
-- depths: rows with a depth
-- run: not used here; retrieved documents, as for judged
-- k: the depth of all rows, or NULL if each has its own
-- returns rank: 1, 2, …
CREATE OR REPLACE MACRO depth_ranks(depths, run, k) AS TABLE
SELECT
    _d.*,
    unnest(range(1, _d.depth + 1)) AS rank
FROM query_table(depths) AS _d;
