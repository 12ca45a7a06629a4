-- The number of documents of the collection that are neither judged relevant nor among the first k.
-- name: TN, TN@k
-- formula: corpus_size − TP − FP − FN
-- relation: judged(rel)
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- corpus_size: required, 1 or more; number of documents in the collection
-- range: 0 to inf
-- no relevant: number of documents not among the first k
-- aggregate: sum
-- differs: RecTools counts k documents as retrieved even if there were fewer
-- source: van Rijsbergen 1979, Information Retrieval, chapter 7
CREATE OR REPLACE MACRO tn_at(j, k BIGINT := NULL, corpus_size BIGINT := NULL) AS
    1e0 * tn(j, k, corpus_size);
