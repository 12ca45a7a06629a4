-- The mean of recall and specificity: the accuracy if as many documents were relevant as not.
-- name: BalancedACC, BalancedACC@k
-- formula: (TP / (TP + FN) + TN / (TN + FP)) / 2
-- sklearn: balanced_accuracy_score()
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking
-- corpus_size: whole number, 1 or more; how many documents the collection has
-- range: 0 to 1
-- empty: specificity alone, and recall alone when the whole collection is relevant
-- over queries: mean or pooled
-- source: Brodersen et al. 2010, doi:10.1109/ICPR.2010.764
CREATE OR REPLACE MACRO balanced_accuracy_at(j, k := NULL, corpus_size := NULL) AS
    balanced_share(
        sum(CASE WHEN j.ideal_rank = 1 THEN corpus_size END),
        sum(CASE WHEN j.ideal_rank = 1 THEN first_of(k, j.num_ret) END),
        sum(j.relevant),
        sum(CASE WHEN j.rank <= coalesce(k, j.rank) THEN j.relevant ELSE 0 END)
    );
CREATE OR REPLACE MACRO balanced_accuracy_at(qrels, run, k := NULL, corpus_size := NULL, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, balanced_accuracy_at(j, k := k, corpus_size := corpus_size) AS balanced_accuracy_at
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
