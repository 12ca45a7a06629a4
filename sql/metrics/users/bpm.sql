-- The gain per document seen by a user who stops when the documents have gained T, and at rank k at the latest: the Bejeweled Player Model.
-- name: BPM, BPM@k
-- formula: Σ gain(i) / n over the first n, n = min(k, first rank with a gain of T so far), goes on with C(i) = 1 before
-- ir_measures: BPM@{k}
-- cwl_eval: BPMCWLMetric({T},{k})
-- relation: stretches
-- T: number above 0; gain that the user wants in all
-- k: whole number, 1 or more; how many ranks there are to see, as for stretches
-- expected: 'utility', 'total_utility', 'cost', 'total_cost' or 'depth'; what is told of the user: gain per document seen, gain of all documents seen, the same of costs, or how many documents are seen. Every document costs 1, so the cost is 1 and the total cost the depth, but for users who go on past rank k: totals leave them out
-- over queries: mean or pooled
-- range: 0 to 1
-- empty: 0
-- differs: gains are summed as grades, so that three thirds are 1; cwl_eval sums fractions, which may fall short of T by rounding. ir_measures cuts a relevance above max_rel, which is an error here
-- source: Zhang et al. 2017, doi:10.1145/3077136.3080841, the static model
CREATE OR REPLACE MACRO bpm(j, T := 1, k := 1000, expected := 'utility') AS
    user_figure(
        expected,
        sum(CASE WHEN j.rank <= k AND j.gained_above < T THEN j.gain END),
        sum(
            CASE
                WHEN j.rank > k OR j.gained_above >= T THEN 0
                WHEN j.gained >= T THEN 1
                WHEN j.until < k THEN j.until - j.rank + 1
                ELSE k - j.rank + 1
            END
        ),
        0e0,
        0e0,
        sum(j.opening)
    );
CREATE OR REPLACE MACRO bpm(
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
SELECT j.run_id, j.query_id, bpm(j, T := T, k := k, expected := expected) AS bpm
FROM stretches(_judged, k := k, min_rel := min_rel, max_rel := max_rel, unjudged := unjudged) AS j
GROUP BY j.run_id, j.query_id;
