-- The gain per document seen by a user who wants a gain of T and goes on the more readily, the further down.
-- name: INSQ, INSQ@k
-- formula: Σ gain(i) · reach(i) / Σ reach(i), reach(i) = (2T / (i − 1 + 2T))², goes on with C(i) = ((i − 1 + 2T) / (i + 2T))²
-- ir_measures: INSQ
-- cwl_eval: INSQCWLMetric({T})
-- relation: stretches
-- T: number above 0; gain that the user wants in all
-- k: whole number, 1 or more; how many ranks there are to see, as for stretches
-- expected: 'utility', 'total_utility', 'cost', 'total_cost' or 'depth'; what is told of the user: gain per document seen, gain of all documents seen, the same of costs, or how many documents are seen. Every document costs 1, so the cost is 1 and the total cost the depth, but for users who go on past rank k: totals leave them out
-- over queries: mean or pooled
-- range: 0 to 1
-- empty: 0
-- differs: ir_measures cuts a relevance above max_rel, which is an error here
-- source: Moffat et al. 2012, doi:10.1145/2407085.2407092
CREATE OR REPLACE MACRO insq(j, T := 1, k := 1000, expected := 'utility') AS
    user_figure(
        expected,
        sum(CASE WHEN j.rank <= k THEN j.gain * patience(j.rank, 'squared', T) END),
        sum(j.opening) * patience_sum(1, k, 'squared', T),
        sum(CASE WHEN j.rank <= k THEN j.gain END) * patience(k + 1, 'squared', T),
        sum(j.opening) * k * patience(k + 1, 'squared', T),
        sum(j.opening)
    );
CREATE OR REPLACE MACRO insq(
    qrels,
    run,
    T := 1,
    k := 1000,
    expected := 'utility',
    min_rel := 0,
    max_rel := NULL,
    unjudged := 0,
    rel := 1,
    gains := NULL
) AS TABLE
WITH _judged AS (SELECT * FROM judged(qrels, run, rel := rel, gains := gains))
SELECT j.run_id, j.query_id, insq(j, T := T, k := k, expected := expected) AS insq
FROM stretches(_judged, k := k, min_rel := min_rel, max_rel := max_rel, unjudged := unjudged) AS j
GROUP BY j.run_id, j.query_id;
