-- The gain of each document, divided by a discount that grows with the ideal gain that the ranking has missed so far.
-- name: G
-- formula: Σ gain / log2(2 + Σ over ranks so far: max(ideal gain, 1) − Σ gain so far) / Σ ideal gain
-- relation: cumulated(gain, gains)
-- range: 0 to 1
-- no relevant: 0
-- differs: trec_eval sorts gains less than 1 apart in the wrong order, and subtracts gains below 0, which are 0 here
-- source: trec_eval, Buckley 2008
CREATE OR REPLACE MACRO normalized_gain(j) AS
    ratio(
        exact_sum(j.own_gain / rank_discount(1 + j.rank + j.ideal_surplus - j.cg, 'log', 2)),
        exact_sum(j.own_gain)
    );
