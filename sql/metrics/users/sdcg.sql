-- The gain per document seen by a user who looks at the first k documents, at each rank less surely: scaled DCG.
-- name: SDCG, SDCG@k
-- formula: Σ gain(i) · reach(i) / Σ reach(i), reach(i) = 1 / log2(i + 1), goes on with C(i) = log(i + 1) / log(i + 2) for i < k
-- ir_measures: SDCG@{k}
-- cwl_eval: NDCGCWLMetric({k})
-- relation: stretches
-- k: whole number, 1 or more; how many ranks there are to see, as for stretches
-- expected: 'utility', 'total_utility', 'cost', 'total_cost' or 'depth'; what is told of the user: gain per document seen, gain of all documents seen, the same of costs, or how many documents are seen. Every document costs 1, so the cost is 1 and the total cost the depth, but for users who go on past rank k: totals leave them out
-- over queries: mean or pooled
-- range: 0 to 1
-- empty: 0
-- differs: nDCG divides by the DCG of the ideal ranking, SDCG by that of k documents of the highest gain; ir_measures cuts a relevance above max_rel, which is an error here
-- source: Moffat et al. 2017, doi:10.1145/3052768; Järvelin and Kekäläinen 2002, doi:10.1145/582415.582418
CREATE OR REPLACE MACRO sdcg(j, k := 1000, expected := 'utility') AS
    user_figure(
        expected,
        sum(CASE WHEN j.rank <= k THEN j.gain * patience(j.rank, 'log', NULL) END),
        sum(j.opening) * patience_sum(1, k, 'log', NULL),
        0e0,
        0e0,
        sum(j.opening)
    );
CREATE OR REPLACE MACRO sdcg(
    qrels,
    run,
    k := 1000,
    expected := 'utility',
    min_rel := 0,
    max_rel := NULL,
    unjudged := 0,
    rel := 1,
    gains := NULL
) AS TABLE
WITH _judged AS (SELECT * FROM judged(qrels, run, rel := rel, gains := gains))
SELECT j.run_id, j.query_id, sdcg(j, k := k, expected := expected) AS sdcg
FROM stretches(_judged, k := k, min_rel := min_rel, max_rel := max_rel, unjudged := unjudged) AS j
GROUP BY j.run_id, j.query_id;
