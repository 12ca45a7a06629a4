-- The log-odds of AP, with 1 added to both sides so that an AP of 0 or 1 has a finite score.
-- name: Yaap
-- formula: ln((1 + R · AP) / (1 + R · (1 − AP)))
-- relation: judged(rel)
-- range: -inf to inf
-- no relevant: 0
-- source: Robertson 2012, On Smoothing Average Precision, ECIR; as in trec_eval 10, an unanswered query scores ln(1 /
--     (1 + R)); in version 9, it scores 0
CREATE OR REPLACE MACRO yaap(j) AS
    ln((1e0 + sum(j.relevant) * ap(j)) / (1e0 + sum(j.relevant) * (1e0 - ap(j))));
