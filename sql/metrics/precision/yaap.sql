-- AP as log-odds, smoothed by 1 more on both sides, so that the extremes of queries average well.
-- name: Yaap
-- formula: ln((1 + R · AP) / (1 + R · (1 − AP)))
-- in trec_eval: yaap
-- relation: judged(rel)
-- range: -inf to inf
-- no relevant: 0
-- source: Robertson 2012, On Smoothing Average Precision, ECIR; as trec_eval 10, a query without answer has ln(1 / (1 +
--     R)), 0 in version 9
CREATE OR REPLACE MACRO yaap(j) AS
    ln((1e0 + sum(j.relevant) * ap(j)) / (1e0 + sum(j.relevant) * (1e0 - ap(j))));
