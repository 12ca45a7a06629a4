-- The weighted harmonic mean of precision and recall among the first k.
-- name: F@k, SetF
-- formula: (1 + β²) · P · R / (β² · P + R) = 1 / (α / P + (1 − α) / R) = TP / (α · k + (1 − α) · (TP + FN))
-- aliases: F1; F2 with beta=2
-- relation: judged(rel)
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- beta: above 0; weight of recall relative to precision
-- alpha: from 0 to 1; share of the weight on precision, 1 / (1 + β²), in place of beta
-- beta_squared: 0 or more; β², in place of beta
-- range: 0 to 1
-- no relevant: 0
-- aggregate: mean or pooled
-- differs: the parameter of set_F in trec_eval and SetF in ir_measures is beta_squared; ir_measures calls it beta
-- source: van Rijsbergen 1979, Information Retrieval, chapter 7
-- most used: 7
CREATE OR REPLACE MACRO f_at(
    j, k BIGINT := NULL, beta DOUBLE := 1e0, alpha DOUBLE := NULL, beta_squared DOUBLE := NULL
) AS
    ratio(
        tp(j, k),
        precision_weight(beta, alpha, beta_squared) * once_per_query(j, coalesce(k, j.num_ret))
        + (1e0 - precision_weight(beta, alpha, beta_squared)) * sum(j.relevant)
    );
