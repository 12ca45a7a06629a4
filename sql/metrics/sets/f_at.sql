-- The weighted harmonic mean of precision and recall among the first k.
-- name: F@k, SetF
-- formula: (1 + β²) · P · R / (β² · P + R) = 1 / (α / P + (1 − α) / R)
-- aliases: F1; F2 with beta=2
-- nicknames: all_trec, set
-- trec_eval: set_F; set_F_{beta_squared}
-- ir_measures: SetF
-- ranx: f1; f1@{k}
-- sklearn: f1_score(); fbeta_score(beta={beta})
-- rectools: F1Beta(k={k}); F1Beta(k={k}, beta={beta})
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking
-- beta: number above 0; how many times as much recall weighs as precision
-- alpha: number from 0 to 1, or NULL; share of the weight that precision has, 1 / (1 + β²), in place of beta
-- beta_squared: number, 0 or more, or NULL; β², in place of beta
-- range: 0 to 1
-- empty: 0
-- over queries: mean or pooled
-- differs: the parameter of set_F in trec_eval and SetF in ir_measures is beta_squared; the latter calls it beta
-- source: van Rijsbergen 1979, Information Retrieval, chapter 7
CREATE OR REPLACE MACRO f_at(j, k := NULL, beta := 1e0, alpha := NULL, beta_squared := NULL) AS
    -- with P = found / depth and R = found / num_rel, the formula divides through to this
    coalesce(
        sum(CASE WHEN j.rank <= coalesce(k, j.rank) THEN j.relevant ELSE 0 END)
        / nullif(sum(
            CASE
                WHEN j.ideal_rank = 1
                    THEN
                        precision_weight(beta, alpha, beta_squared) * coalesce(k, j.num_ret)
                        + (1e0 - precision_weight(beta, alpha, beta_squared)) * j.num_rel
            END
        ), 0),
        0e0
    );
CREATE OR REPLACE MACRO f_at(
    qrels, run, k := NULL, beta := 1e0, alpha := NULL, beta_squared := NULL, rel := 1
) AS TABLE
SELECT
    j.run_id,
    j.query_id,
    f_at(j, k := k, beta := beta, alpha := alpha, beta_squared := beta_squared) AS f_at
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
