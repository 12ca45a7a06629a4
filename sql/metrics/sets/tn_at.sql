-- The number of documents of the collection that are neither judged relevant nor among the first k.
-- name: TN, TN@k
-- formula: corpus_size − TP − FP − FN
-- relation: judged(rel)
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking
-- corpus_size: whole number, 1 or more; how many documents the collection has
-- range: 0 to inf
-- no relevant: how many documents are not among the first k
-- aggregate: sum
-- differs: RecTools counts k documents as retrieved even when fewer were
-- source: van Rijsbergen 1979, Information Retrieval, chapter 7
CREATE OR REPLACE MACRO tn_at(j, k := NULL, corpus_size := NULL) AS
    1e0 * tn(j, k, corpus_size);
