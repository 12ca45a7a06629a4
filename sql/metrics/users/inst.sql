-- The gain per document seen by a user who wants a gain of T and goes on the less readily, the nearer it is.
-- name: INST, INST@k
-- formula: Σ gain(i) · reach(i) / Σ reach(i), goes on with C(i) = ((i − 1 + T + T(i)) / (i + T + T(i)))², T(i) = T − Σ_{j≤i} gain(j)
-- ir_measures: INST
-- cwl_eval: INSTCWLMetric({T})
-- relation: sought
-- expected: 'utility', 'total_utility', 'cost', 'total_cost' or 'depth'; what is told of the user: gain per document seen, gain of all documents seen, the same of costs, or how many documents are seen. Every document costs 1, so the cost is 1 and the total cost the depth, but for users who go on past rank k: totals leave them out
-- over queries: mean or pooled
-- range: 0 to 1
-- empty: 0
-- differs: ir_measures cuts a relevance above max_rel, which is an error here
-- source: Moffat et al. 2015, doi:10.1145/2838931.2838938
CREATE OR REPLACE MACRO inst(j, expected := 'utility') AS
    user_figure(
        expected,
        sum(j.gain * j.reach),
        sum(j.span * j.reach),
        sum(j.gain * j.reach_beyond),
        sum((j.until - j.rank + 1) * j.reach_beyond),
        sum(j.opening)
    );
CREATE OR REPLACE MACRO inst(
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
WITH
    _judged AS (SELECT * FROM judged(qrels, run, rel := rel, gains := gains)),
    _stretches AS (
        SELECT * FROM stretches(_judged, k := k, min_rel := min_rel, max_rel := max_rel, unjudged := unjudged)
    )
SELECT j.run_id, j.query_id, inst(j, expected := expected) AS inst
FROM sought(_stretches, T := T) AS j
GROUP BY j.run_id, j.query_id;
