-- The share of the first k documents that are relevant.
-- name: P@k, SetP
-- formula: relevant@k / k
-- aliases: Precision; relP with denominator='achievable'; R_cap with denominator='achievable'; SetRelP with
--     denominator='achievable'; set_relative_precision with denominator='achievable';
--     IDBasedContextPrecision
-- relation: judged(rel)
-- k: 1 or more; cut-off rank, or NULL for all documents retrieved
-- denominator: 'cutoff', 'retrieved', 'achievable', 'listed' or 'relevant'; what to divide by: k, even if fewer
--     documents were retrieved; min(k, documents retrieved); min(k, R); min(k, R, documents retrieved); R, which gives
--     recall
-- range: 0 to 1
-- no relevant: 0
-- aggregate: mean or pooled
-- source: van Rijsbergen 1979, Information Retrieval, chapter 7
-- most used: 4
CREATE OR REPLACE MACRO precision_at(j, k BIGINT := NULL, denominator VARCHAR := 'cutoff') AS
    ratio(tp(j, k), once_per_query(j, divisor(denominator, k, j.num_rel, j.num_ret)));
