-- The gain per document seen by a user to whom the first i documents are worth i^beta: the economic model of search.
-- name: SET, SET@k
-- formula: Σ gain(i) · reach(i) / Σ reach(i) over the first k, reach(i) = ((i + 1)^beta − i^beta) / (2^beta − 1)
-- cwl_eval: SETCWLMetric({beta},{k})
-- relation: stretches
-- beta: number above 0; how much is left of the worth of further documents; 1 makes it P@k
-- k: whole number, 1 or more; how many ranks there are to see, as for stretches
-- expected: 'utility', 'total_utility', 'cost', 'total_cost' or 'depth'; what is told of the user: gain per document seen, gain of all documents seen, the same of costs, or how many documents are seen. Every document costs 1, so the cost is 1 and the total cost the depth, but for users who go on past rank k: totals leave them out
-- over queries: mean or pooled
-- range: 0 to 1
-- empty: 0
-- source: Azzopardi 2014, doi:10.1145/2600428.2609574, and the tool cwl_eval
CREATE OR REPLACE MACRO set_user(j, beta := 5e-1, k := 1000, expected := 'utility') AS
    user_figure(
        expected,
        sum(CASE WHEN j.rank <= k THEN j.gain * patience(j.rank, 'power', beta) END),
        sum(j.opening) * patience_sum(1, k, 'power', beta),
        0e0,
        0e0,
        sum(j.opening)
    );
CREATE OR REPLACE MACRO set_user(
    qrels,
    run,
    beta := 5e-1,
    k := 1000,
    expected := 'utility',
    min_rel := 0,
    max_rel := NULL,
    unjudged := 0,
    rel := 1,
    gains := NULL
) AS TABLE
WITH _judged AS (SELECT * FROM judged(qrels, run, rel := rel, gains := gains))
SELECT j.run_id, j.query_id, set_user(j, beta := beta, k := k, expected := expected) AS set_user
FROM stretches(_judged, k := k, min_rel := min_rel, max_rel := max_rel, unjudged := unjudged) AS j
GROUP BY j.run_id, j.query_id;
