-- The share of the documents that are not relevant that are among the first k.
-- name: FallOut@k, FallOut
-- formula: not relevant@k / N
-- aliases: FPR
-- torchmetrics: RetrievalFallOut(empty_target_action='neg'); RetrievalFallOut(top_k={k}, empty_target_action='neg')
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes all that were retrieved
-- corpus_size: whole number, 1 or more, or NULL; how many documents the collection has; NULL looks at judged documents only
-- range: 0 to 1
-- empty: the share that is among the first k; 0 when everything is relevant
-- over queries: mean or pooled
-- differs: torchmetrics' RetrievalFallOut is 1 where nothing is judged not relevant, unless empty_target_action is 'neg'
-- source: van Rijsbergen 1979, Information Retrieval, chapter 7
CREATE OR REPLACE MACRO fall_out(j, k := NULL, corpus_size := NULL) AS
    false_share(
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
CREATE OR REPLACE MACRO fall_out(qrels, run, k := NULL, corpus_size := NULL, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, fall_out(j, k := k, corpus_size := corpus_size) AS fall_out
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
