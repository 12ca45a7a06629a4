-- The correlation, over the collection, between being among the first k and being relevant.
-- name: MCC, MCC@k
-- formula: (TP · TN − FP · FN) / √((TP + FP) (TP + FN) (TN + FP) (TN + FN))
-- relation: judged(rel)
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- corpus_size: required, 1 or more; number of documents in the collection
-- range: -1 to 1
-- no relevant: 0
-- aggregate: mean or pooled
-- differs: RecTools counts k documents as retrieved even if there were fewer
-- source: Matthews 1975, doi:10.1016/0005-2795(75)90109-9
CREATE OR REPLACE MACRO mcc_at(j, k BIGINT := NULL, corpus_size BIGINT := NULL) AS
    ratio(
        1e0 * tp(j, k) * tn(j, k, corpus_size) - 1e0 * fp(j, k) * fn(j, k),
        sqrt(1e0 * (tp(j, k) + fp(j, k)) * (tp(j, k) + fn(j, k)))
        * sqrt(1e0 * (tn(j, k, corpus_size) + fp(j, k)) * (tn(j, k, corpus_size) + fn(j, k)))
    );
