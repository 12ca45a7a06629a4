-- The share of what is not relevant that is not among the first k, the true-negative rate.
-- name: Specificity, Specificity@k
-- formula: TN / (TN + FP) = 1 − FallOut
-- aliases: TNR
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking
-- corpus_size: whole number, 1 or more, or NULL; how many documents the collection has; NULL looks at judged documents only
-- range: 0 to 1
-- empty: the share of the collection that is not among the first k; 1 when everything is relevant
-- over queries: mean or pooled
-- source: van Rijsbergen 1979, Information Retrieval, chapter 7
CREATE OR REPLACE MACRO specificity_at(j, k := NULL, corpus_size := NULL) AS
    1e0 - false_share(
        sum(CASE WHEN j.ideal_rank = 1 THEN coalesce(corpus_size, j.num_rel + j.num_nonrel) END),
        sum(
            CASE
                WHEN corpus_size IS NULL AND j.rank <= coalesce(k, j.rank) AND j.relevance >= 0 THEN 1
                WHEN corpus_size IS NOT NULL AND j.ideal_rank = 1 THEN first_of(k, j.num_ret)
                ELSE 0
            END
        ),
        sum(j.relevant),
        sum(CASE WHEN j.rank <= coalesce(k, j.rank) THEN j.relevant ELSE 0 END)
    );
CREATE OR REPLACE MACRO specificity_at(qrels, run, k := NULL, corpus_size := NULL, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, specificity_at(j, k := k, corpus_size := corpus_size) AS specificity_at
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
