-- The gain per document seen by users who stop at an even rate down to rank L: the U-measure, per unit of text.
-- name: U, U@k
-- formula: Σ gain(i) · reach(i) / Σ reach(i), reach(i) = max(0, 1 − (i − 1) / L) for i < k, each document having a length of 1
-- aliases: U_measure
-- cwl_eval: UMeasureCWLMetric({L})
-- relation: stretches
-- L: number above 0; length of text after which nobody is left
-- k: whole number, 2 or more; how many ranks there are, as for stretches; nobody looks at the last
-- expected: 'utility', 'total_utility', 'cost', 'total_cost' or 'depth'; what is told of the user: gain per document seen, gain of all documents seen, the same of costs, or how many documents are seen. Every document costs 1, so the cost is 1 and the total cost the depth, but for users who go on past rank k: totals leave them out
-- over queries: mean or pooled
-- range: 0 to 1
-- empty: 0
-- differs: Sakai and Dou sum the gains without dividing, and take the place of each in the text; this is cwl_eval's without a file of costs, which gives the last of its 1000 ranks no weight
-- source: Sakai and Dou 2013, doi:10.1145/2484028.2484031
CREATE OR REPLACE MACRO u_measure(j, L := 1000, k := 1000, expected := 'utility') AS
    user_figure(
        expected,
        sum(CASE WHEN j.rank < k THEN j.gain * patience(j.rank, 'linear', L) END),
        sum(j.opening) * patience_sum(1, k - 1, 'linear', L),
        0e0,
        0e0,
        sum(j.opening)
    );
CREATE OR REPLACE MACRO u_measure(
    qrels,
    run,
    L := 1000,
    k := 1000,
    expected := 'utility',
    min_rel := 0,
    max_rel := NULL,
    unjudged := 0,
    rel := 1,
    gains := NULL
) AS TABLE
WITH _judged AS (SELECT * FROM judged(qrels, run, rel := rel, gains := gains))
SELECT j.run_id, j.query_id, u_measure(j, L := L, k := k, expected := expected) AS u_measure
FROM stretches(_judged, k := k, min_rel := min_rel, max_rel := max_rel, unjudged := unjudged) AS j
GROUP BY j.run_id, j.query_id;
