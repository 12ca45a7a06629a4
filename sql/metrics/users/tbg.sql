-- The gain per document seen by users of whom half are left after each halflife: time-biased gain, per unit of time.
-- name: TBG, TBG@k
-- formula: Σ gain(i) · reach(i) / Σ reach(i), reach(i) = 2^(−(i − 1) / halflife), each document taking a time of 1
-- cwl_eval: TBGCWLMetric({halflife})
-- relation: stretches
-- halflife: number above 0; time after which half of the users have stopped
-- k: whole number, 1 or more; how many ranks there are to see, as for stretches; nobody goes on past them
-- expected: 'utility', 'total_utility', 'cost', 'total_cost' or 'depth'; what is told of the user: gain per document seen, gain of all documents seen, the same of costs, or how many documents are seen. Every document costs 1, so the cost is 1 and the total cost the depth, but for users who go on past rank k: totals leave them out
-- over queries: mean or pooled
-- range: 0 to 1
-- empty: 0
-- differs: Smucker and Clarke sum the gains without dividing, and take times from the lengths of documents; this is cwl_eval's without a file of costs
-- source: Smucker and Clarke 2012, doi:10.1145/2348283.2348300
CREATE OR REPLACE MACRO tbg(j, halflife := 224, k := 1000, expected := 'utility') AS
    user_figure(
        expected,
        sum(CASE WHEN j.rank <= k THEN j.gain * patience(j.rank, 'geometric', power(2e0, -1e0 / halflife)) END),
        sum(j.opening) * patience_sum(1, k, 'geometric', power(2e0, -1e0 / halflife)),
        0e0,
        0e0,
        sum(j.opening)
    );
CREATE OR REPLACE MACRO tbg(
    qrels,
    run,
    halflife := 224,
    k := 1000,
    expected := 'utility',
    min_rel := 0,
    max_rel := NULL,
    unjudged := 0,
    rel := 1,
    gains := NULL
) AS TABLE
WITH _judged AS (SELECT * FROM judged(qrels, run, rel := rel, gains := gains))
SELECT j.run_id, j.query_id, tbg(j, halflife := halflife, k := k, expected := expected) AS tbg
FROM stretches(_judged, k := k, min_rel := min_rel, max_rel := max_rel, unjudged := unjudged) AS j
GROUP BY j.run_id, j.query_id;
