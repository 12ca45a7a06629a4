-- The share of the non-relevant documents that are not among the first k: the true-negative rate.
-- name: Specificity, Specificity@k
-- formula: TN / (TN + FP) = 1 − FallOut
-- aliases: TNR
-- relation: judged(rel)
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- corpus_size: 1 or more; number of documents in the collection; NULL counts judged documents only
-- range: 0 to 1
-- no relevant: the share of the collection that is not among the first k; 1 when everything is relevant
-- aggregate: mean or pooled
-- source: van Rijsbergen 1979, Information Retrieval, chapter 7
CREATE OR REPLACE MACRO specificity_at(j, k BIGINT := NULL, corpus_size BIGINT := NULL) AS
    1e0 - fall_out(j, k := k, corpus_size := corpus_size);
