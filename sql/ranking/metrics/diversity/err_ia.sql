-- The gain of the subtopics covered, divided by the rank and reduced each time one is covered again, relative to that
--     of documents that each cover every subtopic.
-- name: ERR_IA, ERR_IA@k
-- formula: Σ over the first k: gain / rank, over S · Σ (1 − α)^(i − 1) / i, gain = Σ over subtopics: (1 − α)^times
--     covered above
-- aliases: ERR-IA
-- relation: subtopics(rel)
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- alpha: from 0 to 1; probability that a relevant document satisfies a user looking for its subtopic
-- range: 0 to 1
-- no relevant: 0
-- differs: pyndeval and ir_measures do not divide at cut-off 1, and support cut-offs up to 20
-- source: Chapelle et al. 2009, doi:10.1145/1645953.1646033, divided as in ndeval
CREATE OR REPLACE MACRO err_ia(j, k BIGINT := NULL, alpha DOUBLE := 5e-1) AS
    ratio(
        exact_sum(CASE WHEN within_k(j.rank, k) AND j.relevant = 1 THEN power(1e0 - alpha, j.hits - 1) / j.rank END),
        once_per_subtopic(j, repeated_gain(coalesce(k, j.num_ret), alpha, 'reciprocal'))
    );
