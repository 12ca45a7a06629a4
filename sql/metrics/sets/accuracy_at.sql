-- The share of the collection that is rightly among the first k or rightly not.
-- name: ACC, ACC@k
-- formula: (TP + TN) / corpus_size
-- sklearn: accuracy_score()
-- rectools: Accuracy(k={k})
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking
-- corpus_size: whole number, 1 or more; how many documents the collection has
-- range: 0 to 1
-- empty: the share that is not among the first k
-- over queries: mean or pooled
-- differs: RecTools counts k documents as retrieved even when fewer were; Accuracy of ir_measures is a share of pairs that stand in the right order
-- source: van Rijsbergen 1979, Information Retrieval, chapter 7
CREATE OR REPLACE MACRO accuracy_at(j, k := NULL, corpus_size := NULL) AS
    (
        sum(CASE WHEN j.rank <= coalesce(k, j.rank) THEN j.relevant ELSE 0 END)
        + all_others(
            sum(CASE WHEN j.ideal_rank = 1 THEN corpus_size END),
            sum(CASE WHEN j.ideal_rank = 1 THEN first_of(k, j.num_ret) END),
            sum(j.relevant),
            sum(CASE WHEN j.rank <= coalesce(k, j.rank) THEN j.relevant ELSE 0 END)
        )
    ) / sum(CASE WHEN j.ideal_rank = 1 THEN corpus_size END);
CREATE OR REPLACE MACRO accuracy_at(qrels, run, k := NULL, corpus_size := NULL, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, accuracy_at(j, k := k, corpus_size := corpus_size) AS accuracy_at
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
