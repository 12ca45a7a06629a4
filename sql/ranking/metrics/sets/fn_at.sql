-- The number of relevant documents that are not among the first k.
-- name: FN, FN@k
-- formula: R − TP
-- relation: judged(rel)
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- range: 0 to inf
-- better: lower
-- no relevant: 0
-- aggregate: sum
-- source: van Rijsbergen 1979, Information Retrieval, chapter 7
CREATE OR REPLACE MACRO fn_at(j, k BIGINT := NULL) AS
    1e0 * fn(j, k);
