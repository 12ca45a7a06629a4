-- The DCG of the best ranking possible: all judged documents by relevance.
-- name: IDCG, IDCG@k
-- formula: Σ over the first k of the ideal ranking: gain / log2(rank + 1)
-- trec_eval: ideal_dcg; ideal_dcg_{gains}
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking
-- gain: 'binary', 'linear' or 'exponential'; a document gains 1 if its grade is above 0, its grade, or 2^grade - 1
-- negative: 'zero' or 'raw'; what a relevance below 0 gains: nothing, or its own gain, which is below 0
-- discount: 'log', 'clipped', 'reciprocal' or 'none'; the gain is divided by log(rank + 1), by log(rank) or 1 above rank base (Järvelin), by the rank, or by nothing
-- base: number above 1; of the logarithm
-- range: 0 to inf
-- empty: 0
-- source: Järvelin and Kekäläinen 2002, doi:10.1145/582415.582418; trec_eval 10, which gives 0 to a query without answer
CREATE OR REPLACE MACRO ideal_dcg(
    j, k := NULL, gain := 'linear', negative := 'zero', discount := 'log', base := 2
) AS
    sum(
        CASE
            WHEN j.ideal_rank <= coalesce(k, j.ideal_rank)
                THEN graded_gain(j.grade, gain, negative := negative) / rank_discount(j.ideal_rank, discount, base)
            ELSE 0e0
        END
    );
CREATE OR REPLACE MACRO ideal_dcg(
    qrels, run, k := NULL, gain := 'linear', negative := 'zero', discount := 'log', base := 2, gains := NULL
) AS TABLE
SELECT
    j.run_id,
    j.query_id,
    ideal_dcg(j, k := k, gain := gain, negative := negative, discount := discount, base := base) AS ideal_dcg
FROM judged(qrels, run, gains := gains) AS j
GROUP BY j.run_id, j.query_id;
