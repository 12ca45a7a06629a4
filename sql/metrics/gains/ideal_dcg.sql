-- The DCG of the best ranking possible: all judged documents by relevance.
-- name: IDCG, IDCG@k
-- formula: Σ over the first k of the ideal ranking: gain / log2(rank + 1)
-- in trec_eval: ideal_dcg; ideal_dcg_{gains}
-- relation: judged(gains)
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking
-- gain: 'binary', 'linear' or 'exponential'; a document gains 1 if its grade is above 0, its grade, or 2^grade - 1
-- negative: 'zero' or 'raw'; what a relevance below 0 gains: nothing, or its own gain, which is below 0
-- discount: 'log', 'clipped', 'reciprocal' or 'none'; the gain is divided by log(rank + 1), by log(rank) or 1 above
--     rank base (Järvelin), by the rank, or by nothing
-- base: number above 1; of the logarithm
-- ideal: 'judged', 'uncut', 'retrieved' or 'perfect'; the best ranking possible: of all judged documents, cut at k; the
--     same, whole; of the documents that were retrieved, cut at k; k documents of the gain of 1
-- range: 0 to inf
-- no relevant: 0
-- source: Järvelin and Kekäläinen 2002, doi:10.1145/582415.582418; trec_eval 10, which gives 0 to a query without
--     answer
CREATE OR REPLACE MACRO ideal_dcg(
    j, k := NULL, gain := 'linear', negative := 'zero', discount := 'log', base := 2, ideal := 'judged'
) AS
    CASE
        WHEN ideal = 'perfect' THEN per_query(j, coalesce(perfect_dcg(1, coalesce(k, j.num_ret), discount, base), 0e0))
        ELSE discounted_sum(
            graded_gain(j.grade, gain, negative := negative),
            CASE WHEN ideal = 'retrieved' THEN j.retrieved_ideal_rank ELSE j.ideal_rank END,
            CASE WHEN ideal <> 'uncut' THEN k END,
            discount,
            base := base
        )
    END;
