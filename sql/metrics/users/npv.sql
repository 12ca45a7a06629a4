-- The gain per document seen by a user whose interest sinks at a fixed rate from document to document: net present value.
-- name: NPV, NPV@k
-- formula: Σ gain(i) · reach(i) / Σ reach(i), reach(i) = (1 + rate)^(1 − i), goes on with C(i) = 1 / (1 + rate)
-- cwl_eval: NPVCWLMetric({rate})
-- relation: stretches
-- rate: number above 0; by how much a gain is worth more now than one document later
-- k: whole number, 1 or more; how many ranks there are to see, as for stretches
-- expected: 'utility', 'total_utility', 'cost', 'total_cost' or 'depth'; what is told of the user: gain per document seen, gain of all documents seen, the same of costs, or how many documents are seen. Every document costs 1, so the cost is 1 and the total cost the depth, but for users who go on past rank k: totals leave them out
-- over queries: mean or pooled
-- range: 0 to 1
-- empty: 0
-- differs: it is RBP of p = 1 / (1 + rate), over the sum of its weights down to rank k, as cwl_eval has RBP, too
-- source: Azzopardi et al. 2019, doi:10.1145/3331184.3331398, and its tool cwl_eval
CREATE OR REPLACE MACRO npv(j, rate := 1e-1, k := 1000, expected := 'utility') AS
    user_figure(
        expected,
        sum(CASE WHEN j.rank <= k THEN j.gain * patience(j.rank, 'geometric', 1e0 / (1e0 + rate)) END),
        sum(j.opening) * patience_sum(1, k, 'geometric', 1e0 / (1e0 + rate)),
        sum(CASE WHEN j.rank <= k THEN j.gain END) * patience(k + 1, 'geometric', 1e0 / (1e0 + rate)),
        sum(j.opening) * k * patience(k + 1, 'geometric', 1e0 / (1e0 + rate)),
        sum(j.opening)
    );
CREATE OR REPLACE MACRO npv(
    qrels,
    run,
    rate := 1e-1,
    k := 1000,
    expected := 'utility',
    min_rel := 0,
    max_rel := NULL,
    unjudged := 0,
    rel := 1,
    gains := NULL
) AS TABLE
WITH _judged AS (SELECT * FROM judged(qrels, run, rel := rel, gains := gains))
SELECT j.run_id, j.query_id, npv(j, rate := rate, k := k, expected := expected) AS npv
FROM stretches(_judged, k := k, min_rel := min_rel, max_rel := max_rel, unjudged := unjudged) AS j
GROUP BY j.run_id, j.query_id;
