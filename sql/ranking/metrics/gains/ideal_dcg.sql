-- The DCG of the best possible ranking: all judged documents by relevance.
-- name: IDCG, IDCG@k
-- formula: Σ over the first k of the ideal ranking: gain / log2(rank + 1)
-- relation: judged(gains)
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- gain: 'binary', 'linear' or 'exponential'; gain of a document: 1 if its grade is above 0, its grade, or 2^grade - 1
-- negative: 'zero' or 'raw'; gain of a relevance below 0: nothing, or its own gain, which is negative
-- discount: 'log', 'clipped', 'reciprocal' or 'none'; what divides the gain: log(rank + 1), log(rank) but 1 before rank
--     base (Järvelin), the rank, or nothing
-- base: above 1; base of the logarithm
-- ideal: 'judged', 'uncut', 'retrieved' or 'perfect'; the best possible ranking: all judged documents, cut at k; the
--     same, uncut; the retrieved documents, cut at k; k documents with a gain of 1
-- range: 0 to inf
-- no relevant: 0
-- source: Järvelin and Kekäläinen 2002, doi:10.1145/582415.582418; trec_eval 10, which scores unanswered queries 0
CREATE OR REPLACE MACRO ideal_dcg(
    j, k BIGINT := NULL, gain VARCHAR := 'linear', negative VARCHAR := 'zero', discount VARCHAR := 'log',
    base DOUBLE := 2, ideal VARCHAR := 'judged'
) AS
    CASE
        WHEN ideal = 'perfect'
            THEN once_per_query(j, coalesce(perfect_dcg(1, coalesce(k, j.num_ret), discount, base), 0e0))
        ELSE discounted_sum(
            graded_gain(j.grade, gain, negative := negative),
            CASE WHEN ideal = 'retrieved' THEN j.retrieved_ideal_rank ELSE j.ideal_rank END,
            CASE WHEN ideal <> 'uncut' THEN k END,
            discount,
            base := base
        )
    END;
