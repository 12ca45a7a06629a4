-- The share of the non-relevant documents that are among the first k.
-- name: FallOut@k, FallOut
-- formula: FP / (FP + TN)
-- aliases: FPR
-- relation: judged(rel)
-- k: whole number, 1 or more, or NULL; cut-off rank, or NULL for all documents retrieved
-- corpus_size: whole number, 1 or more, or NULL; number of documents in the collection; NULL counts judged documents
--     only
-- range: 0 to 1
-- better: lower
-- no relevant: the share that is among the first k; 0 when everything is relevant
-- aggregate: mean or pooled
-- differs: torchmetrics' RetrievalFallOut is 1 if nothing is judged not relevant, unless empty_target_action is 'neg'
-- source: van Rijsbergen 1979, Information Retrieval, chapter 7
CREATE OR REPLACE MACRO fall_out(j, k := NULL, corpus_size := NULL) AS
    CASE
        WHEN corpus_size IS NULL THEN ratio(judged_fp(j, k), per_query(j, j.num_nonrel))
        ELSE ratio(fp(j, k), fp(j, k) + tn(j, k, corpus_size))
    END;
