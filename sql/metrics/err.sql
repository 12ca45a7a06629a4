-- The expected value of 1 / rank where a user stops who reads from the top until a document satisfies.
-- name: ERR, ERR@k
-- relation: cascade
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking
-- range: 0 to 1
-- empty: 0
-- agrees: ir_measures
-- source: Chapelle et al. 2009, doi:10.1145/1645953.1646033
CREATE OR REPLACE MACRO err(j, k := NULL) AS
    sum(CASE WHEN j.rank <= coalesce(k, j.rank) THEN j.reach * j.stop / j.rank ELSE 0e0 END);
CREATE OR REPLACE MACRO err(qrels, run, k := NULL, max_rel := 4) AS TABLE
WITH _judged AS (SELECT * FROM judged(qrels, run))
SELECT j.run_id, j.query_id, err(j, k := k) AS err
FROM cascade(_judged, max_rel := max_rel) AS j
GROUP BY j.run_id, j.query_id;
