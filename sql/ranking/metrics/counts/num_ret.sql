-- The number of documents retrieved, judged or not, but at most k.
-- name: NumRet, NumRet@k
-- formula: min(k, documents retrieved)
-- relation: judged
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- range: 0 to inf
-- no relevant: the number retrieved, as for other queries
-- aggregate: sum
-- source: trec_eval
CREATE OR REPLACE MACRO num_ret(j, k BIGINT := NULL) AS
    1e0 * retrieved_at(k, max(j.num_ret));
