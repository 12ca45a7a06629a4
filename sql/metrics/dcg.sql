-- The gains of the first k documents, each divided by log2(rank + 1).
-- name: DCG, DCG@k
-- trec_eval: dcg
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking
-- gain: 'linear' or 'exponential'; gains the relevance itself or 2^relevance - 1, and nothing below 0
-- range: 0 to inf
-- empty: 0
-- source: Järvelin and Kekäläinen 2002, doi:10.1145/582415.582418; discount of Burges et al. 2005, doi:10.1145/1102351.1102363
CREATE OR REPLACE MACRO dcg(j, k := NULL, gain := 'linear') AS
    sum(
        CASE
            WHEN j.rank <= coalesce(k, j.rank) THEN graded_gain(j.relevance, gain) * ln(2e0) / ln(1e0 + j.rank)
            ELSE 0e0
        END
    );
CREATE OR REPLACE MACRO dcg(qrels, run, k := NULL, gain := 'linear') AS TABLE
SELECT j.run_id, j.query_id, dcg(j, k := k, gain := gain) AS dcg
FROM judged(qrels, run) AS j
GROUP BY j.run_id, j.query_id;
