-- Precision at a document's rank, blended with the share of the ideal gain found by then.
-- j: rows of cumulated
-- beta: weight of gain relative to documents; 0 gives precision
CREATE OR REPLACE MACRO blended_ratio(j, beta) AS
    (j.hits + beta * j.cg) / (j.rank + beta * j.ideal_cg);
