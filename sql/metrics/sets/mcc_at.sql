-- The correlation, over the collection, of being among the first k with being relevant.
-- name: MCC, MCC@k
-- formula: (TP · TN − FP · FN) / √((TP + FP) (TP + FN) (TN + FP) (TN + FN))
-- sklearn: matthews_corrcoef()
-- rectools: MCC(k={k})
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking
-- corpus_size: whole number, 1 or more; how many documents the collection has
-- range: -1 to 1
-- empty: 0
-- over queries: mean or pooled
-- differs: RecTools counts k documents as retrieved even when fewer were
-- source: Matthews 1975, doi:10.1016/0005-2795(75)90109-9
CREATE OR REPLACE MACRO mcc_at(j, k := NULL, corpus_size := NULL) AS
    phi_coefficient(
        sum(CASE WHEN j.ideal_rank = 1 THEN corpus_size END),
        sum(CASE WHEN j.ideal_rank = 1 THEN first_of(k, j.num_ret) END),
        sum(j.relevant),
        sum(CASE WHEN j.rank <= coalesce(k, j.rank) THEN j.relevant ELSE 0 END)
    );
CREATE OR REPLACE MACRO mcc_at(qrels, run, k := NULL, corpus_size := NULL, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, mcc_at(j, k := k, corpus_size := corpus_size) AS mcc_at
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
