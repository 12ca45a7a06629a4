-- The gain per document seen by a user who stops at a document with a probability of its gain, else goes on with i / (i + 1), and stops at rank k at the latest.
-- name: NERR9, NERR9@k
-- formula: Σ gain(i) · reach(i) / Σ reach(i), reach(i) = Π_{j<i} (1 − gain(j)) / i, goes on with C(i) = i / (i + 1) · (1 − gain(i)) for i < k
-- ir_measures: NERR9@{k}
-- cwl_eval: NERReq9CWLMetric({k})
-- relation: stretches
-- k: whole number, 1 or more; how many ranks there are to see, as for stretches
-- expected: 'utility', 'total_utility', 'cost', 'total_cost' or 'depth'; what is told of the user: gain per document seen, gain of all documents seen, the same of costs, or how many documents are seen. Every document costs 1, so the cost is 1 and the total cost the depth, but for users who go on past rank k: totals leave them out
-- over queries: mean or pooled
-- range: 0 to 1
-- empty: 0
-- differs: ERR sums 1 / rank over the ranks where users stop, and is no gain per document; ir_measures cuts a relevance above max_rel, which is an error here
-- source: Azzopardi et al. 2021, ERR is not C/W/L, doi:10.1145/3471158.3472239, equation 9
CREATE OR REPLACE MACRO nerr9(j, k := 1000, expected := 'utility') AS
    user_figure(
        expected,
        sum(CASE WHEN j.rank <= k THEN j.gain * j.unsatisfied * patience(j.rank, 'reciprocal', NULL) END),
        -- whom a document satisfies does not look at the ranks below it
        sum(j.opening) * patience_sum(1, k, 'reciprocal', NULL) - sum(
            CASE
                WHEN j.rank < k AND j.gain * j.unsatisfied > 0
                    THEN j.gain * j.unsatisfied * patience_sum(j.rank + 1, k, 'reciprocal', NULL)
                ELSE 0e0
            END
        ),
        0e0,
        0e0,
        sum(j.opening)
    );
CREATE OR REPLACE MACRO nerr9(
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
SELECT j.run_id, j.query_id, nerr9(j, k := k, expected := expected) AS nerr9
FROM stretches(_judged, k := k, min_rel := min_rel, max_rel := max_rel, unjudged := unjudged) AS j
GROUP BY j.run_id, j.query_id;
