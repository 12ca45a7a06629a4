-- The share of the first k documents that are relevant.
-- name: P@k, SetP
-- formula: relevant@k / k
-- aliases: Precision; relP with denominator='achievable'; R_cap with denominator='achievable'; SetRelP with denominator='achievable'; set_relative_precision with denominator='achievable'
-- nicknames: official P, all_trec, set set_P set_relative_P
-- trec_eval: P_{k}; relative_P_{k} with denominator='achievable'; set_P; set_relative_P with denominator='achievable'
-- ir_measures: P@{k}; SetP; SetP(relative=False); SetP(relative=True) with denominator='achievable'
-- ranx: precision; precision@{k}
-- beir: P@{k}; R_cap@{k} with denominator='achievable'
-- sklearn: precision_score()
-- torchmetrics: RetrievalPrecision(); RetrievalPrecision(top_k={k}); RetrievalPrecision(top_k={k}, adaptive_k=True) with denominator='retrieved'
-- cwl_eval: PrecisionCWLMetric({k})
-- pyNTCIREVAL: Precision(cutoff={k})
-- lenskit: Precision(); Precision(n={k}) with denominator='retrieved'
-- rectools: Precision(k={k}); Precision(k={k}, r_precision=True) with denominator='achievable'
-- recommenders: precision_at_k(k={k})
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes all that were retrieved
-- denominator: 'cutoff', 'retrieved', 'achievable', 'listed' or 'relevant'; what is divided by: k even when fewer documents were retrieved; min(k, documents retrieved); min(k, R); min(k, R, documents retrieved); R, which is recall
-- range: 0 to 1
-- empty: 0
-- over queries: mean or pooled
-- source: van Rijsbergen 1979, Information Retrieval, chapter 7
CREATE OR REPLACE MACRO precision_at(j, k := NULL, denominator := 'cutoff') AS
    coalesce(
        1e0 * sum(CASE WHEN j.rank <= coalesce(k, j.rank) THEN j.relevant ELSE 0 END)
        / nullif(sum(
            CASE WHEN j.ideal_rank = 1 THEN divisor(denominator, k, j.num_rel, j.num_ret) END
        ), 0),
        0e0
    );
CREATE OR REPLACE MACRO precision_at(
    qrels, run, k := NULL, denominator := 'cutoff', rel := 1
) AS TABLE
SELECT j.run_id, j.query_id, precision_at(j, k := k, denominator := denominator) AS precision_at
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
