-- The precision at the rank of each relevant document, averaged over all relevant ones; one not found adds 0.
-- name: AP, AP@k
-- formula: Σ over relevant documents in the first k: P@rank / R
-- aliases: MAP; GMAP with over='geometric'
-- nicknames: official map gm_map, all_trec
-- trec_eval: map; map_cut_{k}; gm_map with over='geometric'
-- ir_measures: AP; AP@{k}
-- ranx: map; map@{k}
-- beir: MAP@{k}
-- torchmetrics: RetrievalMAP() with denominator='found'; RetrievalMAP(top_k={k}) with denominator='found'
-- cwl_eval: TrAPCWLMetric() with k=1000; APCWLMetric() with k=1000, denominator='found'
-- pyNTCIREVAL: AP(); AP(cutoff={k}) with denominator='achievable'
-- lenskit: AveragePrecision() with denominator='listed'; AveragePrecision(n={k}) with denominator='listed'
-- rectools: MAP(k={k}); MAP(k={k}, divide_by_k=True) with denominator='cutoff'
-- recommenders: map(k={k}); map_at_k(k={k}) with denominator='achievable'
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking
-- denominator: 'relevant', 'achievable', 'cutoff', 'listed' or 'found'; what the sum is divided by: all R relevant documents; min(R, k); k; min(R, k, documents retrieved); the relevant ones among the first k. Without k, all that were retrieved stand for k
-- range: 0 to 1
-- empty: 0
-- over queries: mean or pooled
-- differs: elliot's MAP is the mean of P@1 to P@k, whether the documents there are relevant or not
-- source: Harman 1992, Evaluation Issues in Information Retrieval, Information Processing and Management 28(4)
CREATE OR REPLACE MACRO ap(j, k := NULL, denominator := 'relevant') AS
    coalesce(
        sum(CASE WHEN j.rank <= coalesce(k, j.rank) AND j.relevant = 1 THEN 1e0 * j.hits / j.rank END)
        / nullif(sum(
            CASE
                WHEN denominator = 'found' AND j.rank <= coalesce(k, j.rank) THEN j.relevant
                WHEN denominator <> 'found' AND j.ideal_rank = 1 THEN divisor(denominator, k, j.num_rel, j.num_ret)
            END
        ), 0),
        0e0
    );
CREATE OR REPLACE MACRO ap(qrels, run, k := NULL, denominator := 'relevant', rel := 1) AS TABLE
SELECT j.run_id, j.query_id, ap(j, k := k, denominator := denominator) AS ap
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
