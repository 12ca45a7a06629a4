-- The discounted gain of subtopics covered, less each time one is covered again, over that of a greedily built ideal ranking, which is rarely surpassed.
-- name: alpha_nDCG, alpha_nDCG@k
-- formula: Σ over the first k: gain / log2(rank + 1), over the same of the ideal ranking, gain = Σ over subtopics: (1 − α)^times covered above
-- aliases: α_nDCG; α-nDCG; alpha-nDCG
-- ir_measures: alpha_nDCG@{k}
-- pyndeval: alpha-nDCG@{k}
-- relation: greedy
-- k: whole number, 1 or more, or NULL; cut-off rank of both rankings, NULL takes them whole
-- range: 0 to 1.582
-- empty: 0
-- over queries: mean or pooled
-- differs: pyndeval and ir_measures take cut-offs up to 20; ir_measures gives 0 to the second alpha of one call
-- source: Clarke et al. 2008, doi:10.1145/1390334.1390446
CREATE OR REPLACE MACRO alpha_ndcg(j, k := NULL) AS
    coalesce(
        sum(CASE WHEN j.rank <= coalesce(k, j.rank) THEN j.gain / rank_discount(j.rank, 'log', 2) END)
        / nullif(sum(
            CASE
                WHEN j.greedy_rank <= coalesce(k, j.greedy_rank)
                    THEN j.greedy_gain / rank_discount(j.greedy_rank, 'log', 2)
            END
        ), 0),
        0e0
    );
CREATE OR REPLACE MACRO alpha_ndcg(qrels, run, k := NULL, alpha := 5e-1, rel := 1) AS TABLE
WITH _subtopics AS (SELECT * FROM subtopics(qrels, run, rel := rel))
SELECT j.run_id, j.query_id, alpha_ndcg(j, k := k) AS alpha_ndcg
FROM greedy(_subtopics, alpha := alpha) AS j
GROUP BY j.run_id, j.query_id;
