-- The gain per document seen by a user who forages: for a gain of T in all, and as long as a gain of A per document is found.
-- name: IFT, IFT@k
-- formula: Σ gain(i) · reach(i) / Σ reach(i), goes on with C(i) = (1 − 1 / (1 + b1 · e^(R1 · (T − G)))) / (1 + b2 · e^(R2 · (A − G / i))), G = Σ_{j≤i} gain(j)
-- aliases: IFT_C1 with A=None; IFT_C2 with T=None
-- cwl_eval: IFTGoalCWLMetric({T},{b1},{R1}) with A=None; IFTRateCWLMetric({A},{b2},{R2}) with T=None; IFTGoalRateCWLMetric({T},{b1},{R1},{A},{b2},{R2})
-- relation: foraged
-- expected: 'utility', 'total_utility', 'cost', 'total_cost' or 'depth'; what is told of the user: gain per document seen, gain of all documents seen, the same of costs, or how many documents are seen. Every document costs 1, so the cost is 1 and the total cost the depth, but for users who go on past rank k: totals leave them out
-- over queries: mean or pooled
-- range: 0 to 1
-- empty: 0
-- source: Azzopardi et al. 2018, doi:10.1145/3209978.3210027
CREATE OR REPLACE MACRO ift(j, expected := 'utility') AS
    user_figure(
        expected,
        sum(j.gain * j.reach),
        sum(j.span * j.reach),
        sum(j.gain * j.reach_beyond),
        sum((j.until - j.rank + 1) * j.reach_beyond),
        sum(j.opening)
    );
CREATE OR REPLACE MACRO ift(
    qrels,
    run,
    T := 2,
    b1 := 9e-1,
    R1 := 10,
    A := 2e-1,
    b2 := 9e-1,
    R2 := 10,
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
SELECT j.run_id, j.query_id, ift(j, expected := expected) AS ift
FROM foraged(_stretches, T := T, b1 := b1, R1 := R1, A := A, b2 := b2, R2 := R2) AS j
GROUP BY j.run_id, j.query_id;
