-- 1 divided by the rank, averaged over the relevant documents that were found.
-- name: GranularRR, GranularRR@k
-- aliases: GranularMRR
-- formula: Σ over relevant documents in the first k: 1 / rank / how many these are
-- relation: judged(rel)
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- range: 0 to 1
-- no relevant: 0
-- aggregate: mean or pooled
-- differs: relevant documents that were not found do not count, and one more at a low rank lowers the score
-- source: LlamaIndex, MRR(use_granular_mrr=True)
CREATE OR REPLACE MACRO granular_rr(j, k BIGINT := NULL) AS
    ratio(exact_sum(CASE WHEN within_k(j.rank, k) AND j.relevant = 1 THEN 1e0 / j.rank END), tp(j, k));
