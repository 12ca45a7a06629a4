-- The discounted gain of the ranking over that of the best ranking possible, all judged documents by relevance.
-- name: nDCG, nDCG@k
-- aliases: NDCG
-- trec_eval: ndcg, ndcg_cut_k
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank of both rankings, NULL takes them whole
-- gain: 'linear' or 'exponential'; gains the relevance itself or 2^relevance - 1, and nothing below 0
-- range: 0 to 1
-- empty: 0
-- agrees: trec_eval, ir_measures
-- source: Järvelin and Kekäläinen 2002, doi:10.1145/582415.582418; discount of Burges et al. 2005, doi:10.1145/1102351.1102363
CREATE OR REPLACE MACRO ndcg(j, k := NULL, gain := 'linear') AS
    -- the base of the logarithm is the same above and below, so it cancels
    coalesce(
        sum(
            CASE
                WHEN j.rank <= coalesce(k, j.rank)
                    THEN graded_gain(j.relevance, gain) / ln(1e0 + j.rank)
            END
        )
        / nullif(sum(
            CASE
                WHEN j.ideal_rank <= coalesce(k, j.ideal_rank)
                    THEN graded_gain(j.relevance, gain) / ln(1e0 + j.ideal_rank)
            END
        ), 0),
        0e0
    );
CREATE OR REPLACE MACRO ndcg(qrels, run, k := NULL, gain := 'linear') AS TABLE
SELECT j.run_id, j.query_id, ndcg(j, k := k, gain := gain) AS ndcg
FROM judged(qrels, run) AS j
GROUP BY j.run_id, j.query_id;
