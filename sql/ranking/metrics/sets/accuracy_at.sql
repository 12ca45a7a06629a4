-- The share of the collection that is classified correctly: relevant and among the first k, or neither.
-- name: ACC, ACC@k
-- formula: (TP + TN) / (TP + FP + FN + TN), corpus_size in all
-- relation: judged(rel)
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- corpus_size: required, 1 or more; number of documents in the collection
-- range: 0 to 1
-- no relevant: the share that is not among the first k
-- aggregate: mean or pooled
-- differs: RecTools counts k documents as retrieved even if there were fewer; Accuracy in ir_measures is the share of
--     pairs in the right order
-- source: van Rijsbergen 1979, Information Retrieval, chapter 7
CREATE OR REPLACE MACRO accuracy_at(j, k BIGINT := NULL, corpus_size BIGINT := NULL) AS
    (tp(j, k) + tn(j, k, corpus_size)) / (1e0 * once_per_query(j, corpus_size));
