-- Precision at a rank mixed with the share of the ideal gain found by then.
-- hits: relevant documents at the rank or above
-- cg, ideal_cg: gain of the ranking and of the ideal ranking down to the rank
-- rank: 1 or more
-- beta: how much gain counts beside documents; 0 leaves precision
CREATE OR REPLACE MACRO blended_ratio(hits, cg, rank, ideal_cg, beta) AS
    (1e0 * hits + beta * cg) / (1e0 * rank + beta * ideal_cg);
