-- The discounted gain of the ranking, divided by that of the best possible ranking: all judged documents by relevance.
-- name: nDCG, nDCG@k
-- formula: DCG@k / IDCG@k
-- aliases: NDCG
-- in trec_eval: ndcg; ndcg_cut_{k}; ndcg_{gains}
-- in ir_measures: nDCG; nDCG@{k}; nDCG(dcg='log2')@{k}; nDCG(dcg='exp-log2')@{k} with gain='exponential'
-- in ranx: ndcg; ndcg@{k}; ndcg_burges with gain='exponential'; ndcg_burges@{k} with gain='exponential'
-- in gdeval: nDCG@{k} with gain='exponential'
-- in beir: NDCG@{k}
-- in sklearn: ndcg_score(); ndcg_score(k={k})
-- in torchmetrics: RetrievalNormalizedDCG(); RetrievalNormalizedDCG(top_k={k})
-- in pyNTCIREVAL: MSnDCG(cutoff={k}); nDCG(logb={base}, cutoff={k}) with discount='clipped'
-- in lenskit: NDCG() with gain='binary', discount='clipped'; NDCG(n={k}) with gain='binary', discount='clipped';
--     NDCG(gain='rating') with discount='clipped'; NDCG(n={k}, gain='rating') with discount='clipped';
--     NDCG(weight=LogRankWeight(offset=1)) with gain='binary'; NDCG(n={k}, weight=LogRankWeight(offset=1)) with
--     gain='binary'; NDCG(gain='rating', weight=LogRankWeight(offset=1)); NDCG(n={k}, gain='rating',
--     weight=LogRankWeight(offset=1))
-- in rectools: NDCG(k={k}) with gain='binary', ideal='perfect'; NDCG(k={k}, log_base={base}) with gain='binary',
--     ideal='perfect'; NDCG(k={k}, divide_by_achievable=True) with gain='binary'; NDCG(k={k}, log_base={base},
--     divide_by_achievable=True) with gain='binary'
-- in recommenders: ndcg_at_k(k={k}) with gain='binary'; ndcg_at_k(k={k}, discfun_type='log2') with gain='binary';
--     ndcg_at_k(k={k}, score_type='raw'); ndcg_at_k(k={k}, score_type='raw', discfun_type='log2'); ndcg_at_k(k={k},
--     score_type='exp') with gain='exponential'; ndcg_at_k(k={k}, score_type='exp', discfun_type='log2') with
--     gain='exponential'
-- relation: judged(gains)
-- k: 1 or more; cut-off rank of both rankings, or NULL for the whole rankings
-- gain: 'binary', 'linear' or 'exponential'; gain of a document: 1 if its grade is above 0, its grade, or 2^grade - 1
-- negative: 'zero' or 'raw'; gain of a relevance below 0: nothing, or its own gain, which is negative
-- discount: 'log', 'clipped', 'reciprocal' or 'none'; what divides the gain: log(rank + 1), log(rank) but 1 before rank
--     base (Järvelin), the rank, or nothing
-- base: above 1; base of the logarithm
-- ideal: as for ideal_dcg
-- range: 0 to 1
-- no relevant: 0
-- aggregate: mean or pooled
-- source: Järvelin and Kekäläinen 2002, doi:10.1145/582415.582418; discount of Burges et al. 2005,
--     doi:10.1145/1102351.1102363
CREATE OR REPLACE MACRO ndcg(
    j, k BIGINT := NULL, gain VARCHAR := 'linear', negative VARCHAR := 'zero', discount VARCHAR := 'log',
    base DOUBLE := 2, ideal VARCHAR := 'judged'
) AS
    ratio(
        dcg(j, k := k, gain := gain, negative := negative, discount := discount, base := base),
        ideal_dcg(j, k := k, gain := gain, negative := negative, discount := discount, base := base, ideal := ideal)
    );
