-- The share of the first k documents that have a judgment.
-- name: Judged@k, Judged
-- aliases: J
-- formula: judged@k / min(k, retrieved)
-- relation: judged
-- k: 1 or more; cut-off rank, or NULL for the whole ranking. If fewer documents were retrieved, it divides by their
--     number
-- range: 0 to 1
-- no relevant: 0 if nothing was retrieved
-- source: ir_measures, which counts a relevance below 0 as judged; sqlmetrics and trec_eval do not
-- most used: 12
CREATE OR REPLACE MACRO judged_at(j, k BIGINT := NULL) AS
    ratio(num_judged(j, k), retrieved_at(k, max(j.num_ret)));
