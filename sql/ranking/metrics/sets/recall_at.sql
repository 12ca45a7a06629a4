-- The share of the relevant documents that are among the first k.
-- name: R@k, SetR
-- formula: relevant@k / R
-- aliases: Recall; ContextRecall; IDBasedContextRecall
-- relation: judged(rel)
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- denominator: 'relevant', 'achievable', 'listed', 'cutoff' or 'retrieved'; what to divide by: all R relevant
--     documents; min(k, R), the most that can be found; min(k, R, documents retrieved); k, which gives precision;
--     min(k, documents retrieved)
-- range: 0 to 1
-- no relevant: 0
-- aggregate: mean or pooled
-- source: van Rijsbergen 1979, Information Retrieval, chapter 7
-- most used: 5
CREATE OR REPLACE MACRO recall_at(j, k BIGINT := NULL, denominator VARCHAR := 'relevant') AS
    ratio(tp(j, k), once_per_query(j, divisor(denominator, k, j.num_rel, j.num_ret)));
