-- The arithmetic or geometric mean of precision and recall among the first k; the harmonic one is F.
-- name: MeanPR, MeanPR@k
-- formula: (P + R) / 2, or √(P · R)
-- aliases: GMeasure with mean='geometric'; FowlkesMallows with mean='geometric'
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking
-- mean: 'arithmetic' or 'geometric'; which mean
-- range: 0 to 1
-- empty: 0
-- over queries: mean or pooled
-- source: Fowlkes and Mallows 1983, doi:10.1080/01621459.1983.10478008
CREATE OR REPLACE MACRO mean_pr_at(j, k := NULL, mean := 'arithmetic') AS
    coalesce(
        mean_share(
            sum(CASE WHEN j.rank <= coalesce(k, j.rank) THEN j.relevant ELSE 0 END),
            sum(CASE WHEN j.ideal_rank = 1 THEN coalesce(k, j.num_ret) END),
            sum(j.relevant),
            mean
        ),
        0e0
    );
CREATE OR REPLACE MACRO mean_pr_at(qrels, run, k := NULL, mean := 'arithmetic', rel := 1) AS TABLE
SELECT j.run_id, j.query_id, mean_pr_at(j, k := k, mean := mean) AS mean_pr_at
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
