-- The relevant documents among the first k, as a share of all documents that are among the first k or relevant.
-- name: Jaccard, Jaccard@k
-- formula: TP / (TP + FP + FN)
-- aliases: ThreatScore; CSI
-- relation: judged(rel)
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- range: 0 to 1
-- no relevant: 0
-- aggregate: mean or pooled
-- source: Jaccard 1912, doi:10.1111/j.1469-8137.1912.tb05611.x
CREATE OR REPLACE MACRO jaccard_at(j, k BIGINT := NULL) AS
    ratio(tp(j, k), tp(j, k) + fp(j, k) + fn(j, k));
