-- The number of documents among the first k that are not judged relevant.
-- name: FP, FP@k
-- formula: min(k, retrieved) − TP
-- relation: judged(rel)
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- range: 0 to inf
-- better: lower
-- no relevant: number of documents among the first k
-- aggregate: sum
-- differs: RecTools counts k documents as retrieved even if there were fewer
-- source: van Rijsbergen 1979, Information Retrieval, chapter 7
CREATE OR REPLACE MACRO fp_at(j, k BIGINT := NULL) AS
    1e0 * fp(j, k);
