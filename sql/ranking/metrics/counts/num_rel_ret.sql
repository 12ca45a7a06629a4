-- The number of relevant documents retrieved, in total or among the first k.
-- name: NumRelRet, NumRelRet@k
-- formula: relevant@k
-- aliases: TP
-- relation: judged(rel)
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- range: 0 to inf
-- no relevant: 0
-- aggregate: sum
-- not: hits, the share of queries with a hit, which is Success
-- source: trec_eval
CREATE OR REPLACE MACRO num_rel_ret(j, k BIGINT := NULL) AS
    1e0 * tp(j, k);
