-- The share of the non-relevant documents that are among the first k.
-- name: FallOut@k, FallOut
-- formula: FP / (FP + TN)
-- aliases: FPR
-- relation: judged(rel)
-- k: 1 or more; cut-off rank, or NULL for all documents retrieved
-- corpus_size: 1 or more; number of documents in the collection; NULL counts judged documents only
-- range: 0 to 1
-- better: lower
-- no relevant: the share that is among the first k; 0 when everything is relevant
-- aggregate: mean or pooled
-- differs: torchmetrics' RetrievalFallOut is 1 if nothing is judged not relevant, unless empty_target_action is 'neg'
-- source: van Rijsbergen 1979, Information Retrieval, chapter 7
CREATE OR REPLACE MACRO fall_out(j, k BIGINT := NULL, corpus_size BIGINT := NULL) AS
    CASE
        WHEN corpus_size IS NULL THEN ratio(judged_fp(j, k), once_per_query(j, j.num_nonrel))
        ELSE ratio(fp(j, k), fp(j, k) + tn(j, k, corpus_size))
    END;
