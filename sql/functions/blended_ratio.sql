-- Precision at a document's rank mixed with the share of the ideal gain found by then.
-- j: rows of cumulated
-- beta: how much gain counts beside documents; 0 leaves precision
CREATE OR REPLACE MACRO blended_ratio(j, beta) AS
    (j.hits + beta * j.cg) / (j.rank + beta * j.ideal_cg);
