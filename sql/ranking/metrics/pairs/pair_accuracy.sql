-- The share of pairs of a relevant and another document, both among the first k, that are in the right order.
-- name: Accuracy, Accuracy@k
-- formula: pairs of relevant above other documents / all such pairs
-- relation: judged(rel)
-- k: 1 or more; cut-off rank, or NULL for the whole ranking. Unjudged documents count as not relevant
-- range: 0 to 1
-- no relevant: 0
-- aggregate: mean or pooled
-- differs: if no relevant document was found, ir_measures has no value, here it is 0; if nothing else was found,
--     ir_measures divides by zero, here it is 1
-- source: ir_measures
CREATE OR REPLACE MACRO pair_accuracy(j, k BIGINT := NULL) AS
    coalesce(
        1e0 - 1e0 * sum(CASE WHEN within_k(j.rank, k) AND j.relevant = 1 THEN j.rank - j.hits END)
        / nullif(sum(
            -- hits is 1, 2, … f for f relevant among n documents; n + 1 - 2 · hits adds up to f · (n - f), all pairs
            CASE WHEN within_k(j.rank, k) AND j.relevant = 1 THEN retrieved_at(k, j.num_ret) + 1 - 2 * j.hits END
        ), 0),
        success_at(j, k := k)
    );
