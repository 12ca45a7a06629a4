-- The number of documents of the collection that are neither judged relevant nor among the first k.
-- name: TN, TN@k
-- formula: corpus_size − min(k, retrieved) − R + relevant@k
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking
-- corpus_size: whole number, 1 or more; how many documents the collection has
-- range: 0 to inf
-- empty: how many documents are not among the first k
-- over queries: sum
-- differs: RecTools counts k documents as retrieved even when fewer were
-- source: van Rijsbergen 1979, Information Retrieval, chapter 7
CREATE OR REPLACE MACRO tn_at(j, k := NULL, corpus_size := NULL) AS
    all_others(
        sum(CASE WHEN j.ideal_rank = 1 THEN corpus_size END),
        sum(CASE WHEN j.ideal_rank = 1 THEN first_of(k, j.num_ret) END),
        sum(j.relevant),
        sum(CASE WHEN j.rank <= coalesce(k, j.rank) THEN j.relevant ELSE 0 END)
    );
CREATE OR REPLACE MACRO tn_at(qrels, run, k := NULL, corpus_size := NULL, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, tn_at(j, k := k, corpus_size := corpus_size) AS tn_at
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
