-- The mean of recall and specificity: the accuracy if as many documents were relevant as not.
-- name: BalancedACC, BalancedACC@k
-- formula: (TP / (TP + FN) + TN / (TN + FP)) / 2
-- relation: judged(rel)
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- corpus_size: required, 1 or more; number of documents in the collection
-- range: 0 to 1
-- no relevant: specificity alone, and recall alone when the whole collection is relevant
-- aggregate: mean or pooled
-- source: Brodersen et al. 2010, doi:10.1109/ICPR.2010.764
CREATE OR REPLACE MACRO balanced_accuracy_at(j, k BIGINT := NULL, corpus_size BIGINT := NULL) AS
    -- recall and specificity; if nothing or everything is relevant, only one of them exists
    coalesce(
        (
            1e0 * tp(j, k) / nullif(tp(j, k) + fn(j, k), 0)
            + 1e0 * tn(j, k, corpus_size) / nullif(tn(j, k, corpus_size) + fp(j, k), 0)
        ) / 2,
        1e0 * tn(j, k, corpus_size) / nullif(tn(j, k, corpus_size) + fp(j, k), 0),
        1e0 * tp(j, k) / nullif(tp(j, k) + fn(j, k), 0)
    );
