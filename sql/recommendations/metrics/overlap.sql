-- The share of a list that the baseline recommends, too.
-- name: Overlap, Overlap@k
-- aliases: Intersection
-- formula: items among the first k of both lists / items among the first k
-- relation: matched
-- k: 1 or more; cut-off rank, or NULL for the whole list
-- range: 0 to 1
-- source: RecTools Intersection
CREATE OR REPLACE MACRO overlap(j, k BIGINT := NULL) AS
    1e0 * count(CASE WHEN within_k(j.rank, k) AND within_k(j.baseline_rank, k) THEN 1 END)
    / count(CASE WHEN within_k(j.rank, k) THEN 1 END);
