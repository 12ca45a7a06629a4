-- The discounted gain of the subtopics covered, reduced each time one is covered again, divided by that of documents
--     that each cover every subtopic.
-- name: alpha_DCG, alpha_DCG@k
-- formula: Σ over the first k: gain / log2(rank + 1), over S · Σ (1 − α)^(i − 1) / log2(i + 1), gain = Σ over
--     subtopics: (1 − α)^times covered above
-- aliases: α_DCG; α-DCG; alpha-DCG
-- relation: subtopics(rel)
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- alpha: from 0 to 1; share of the gain lost each time a subtopic is covered again
-- range: 0 to 1
-- no relevant: 0
-- differs: pyndeval and ir_measures do not divide at cut-off 1, and support cut-offs up to 20; Clarke et al. never
--     divide
-- source: Clarke et al. 2008, doi:10.1145/1390334.1390446, divided as in ndeval
CREATE OR REPLACE MACRO alpha_dcg(j, k BIGINT := NULL, alpha DOUBLE := 5e-1) AS
    ratio(
        exact_sum(
            CASE
                WHEN within_k(j.rank, k) AND j.relevant = 1
                    THEN power(1e0 - alpha, j.hits - 1) / rank_discount(j.rank, 'log', 2)
            END
        ),
        once_per_subtopic(j, repeated_gain(coalesce(k, j.num_ret), alpha, 'log'))
    );
