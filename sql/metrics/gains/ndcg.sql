-- The discounted gain of the ranking over that of the best ranking possible, all judged documents by relevance.
-- name: nDCG, nDCG@k
-- formula: DCG@k / IDCG@k
-- aliases: NDCG
-- nicknames: all_trec
-- trec_eval: ndcg; ndcg_cut_{k}; ndcg_{gains}
-- ir_measures: nDCG; nDCG@{k}; nDCG(dcg='log2')@{k}; nDCG(dcg='exp-log2')@{k} with gain='exponential'
-- ranx: ndcg; ndcg@{k}; ndcg_burges with gain='exponential'; ndcg_burges@{k} with gain='exponential'
-- gdeval: nDCG@{k} with gain='exponential'
-- beir: NDCG@{k}
-- sklearn: ndcg_score(); ndcg_score(k={k})
-- torchmetrics: RetrievalNormalizedDCG(); RetrievalNormalizedDCG(top_k={k})
-- pyNTCIREVAL: MSnDCG(cutoff={k}); nDCG(logb={base}, cutoff={k}) with discount='clipped'
-- lenskit: NDCG() with gain='binary', discount='clipped'; NDCG(n={k}) with gain='binary', discount='clipped'; NDCG(gain='rating') with discount='clipped'; NDCG(n={k}, gain='rating') with discount='clipped'; NDCG(weight=LogRankWeight(offset=1)) with gain='binary'; NDCG(n={k}, weight=LogRankWeight(offset=1)) with gain='binary'; NDCG(gain='rating', weight=LogRankWeight(offset=1)); NDCG(n={k}, gain='rating', weight=LogRankWeight(offset=1))
-- rectools: NDCG(k={k}) with gain='binary', ideal='perfect'; NDCG(k={k}, log_base={base}) with gain='binary', ideal='perfect'; NDCG(k={k}, divide_by_achievable=True) with gain='binary'; NDCG(k={k}, log_base={base}, divide_by_achievable=True) with gain='binary'
-- recommenders: ndcg_at_k(k={k}) with gain='binary'; ndcg_at_k(k={k}, discfun_type='log2') with gain='binary'; ndcg_at_k(k={k}, score_type='raw'); ndcg_at_k(k={k}, score_type='raw', discfun_type='log2'); ndcg_at_k(k={k}, score_type='exp') with gain='exponential'; ndcg_at_k(k={k}, score_type='exp', discfun_type='log2') with gain='exponential'
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank of both rankings, NULL takes them whole
-- gain: 'binary', 'linear' or 'exponential'; a document gains 1 if its grade is above 0, its grade, or 2^grade - 1
-- negative: 'zero' or 'raw'; what a relevance below 0 gains: nothing, or its own gain, which is below 0
-- discount: 'log', 'clipped', 'reciprocal' or 'none'; the gain is divided by log(rank + 1), by log(rank) or 1 above rank base (Järvelin), by the rank, or by nothing
-- base: number above 1; of the logarithm
-- ideal: 'judged', 'uncut', 'retrieved' or 'perfect'; the best ranking possible: of all judged documents, cut at k; the same, whole; of the documents that were retrieved, cut at k; k documents of the gain of 1
-- range: 0 to 1
-- empty: 0
-- over queries: mean or pooled
-- source: Järvelin and Kekäläinen 2002, doi:10.1145/582415.582418; discount of Burges et al. 2005, doi:10.1145/1102351.1102363
CREATE OR REPLACE MACRO ndcg(
    j,
    k := NULL,
    gain := 'linear',
    negative := 'zero',
    discount := 'log',
    base := 2,
    ideal := 'judged'
) AS
    coalesce(
        sum(
            CASE
                WHEN j.rank <= coalesce(k, j.rank)
                    THEN graded_gain(j.grade, gain, negative := negative) / rank_discount(j.rank, discount, base)
            END
        )
        / nullif(sum(
            CASE
                WHEN ideal = 'perfect' AND j.ideal_rank = 1
                    THEN perfect_dcg(coalesce(k, j.num_ret), discount, base)
                WHEN
                    ideal_place(ideal, j.ideal_rank, j.retrieved_ideal_rank)
                    <= coalesce(CASE WHEN ideal <> 'uncut' THEN k END, j.ideal_rank)
                    THEN
                        graded_gain(j.grade, gain, negative := negative)
                        / rank_discount(
                            ideal_place(ideal, j.ideal_rank, j.retrieved_ideal_rank), discount, base
                        )
            END
        ), 0),
        0e0
    );
CREATE OR REPLACE MACRO ndcg(
    qrels,
    run,
    k := NULL,
    gain := 'linear',
    negative := 'zero',
    discount := 'log',
    base := 2,
    ideal := 'judged',
    gains := NULL
) AS TABLE
SELECT
    j.run_id,
    j.query_id,
    ndcg(
        j, k := k, gain := gain, negative := negative, discount := discount, base := base, ideal := ideal
    ) AS ndcg
FROM judged(qrels, run, gains := gains) AS j
GROUP BY j.run_id, j.query_id;
