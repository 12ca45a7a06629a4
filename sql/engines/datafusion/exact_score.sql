-- The score of a document for comparisons, with a single zero: this engine sorts -0.0 below 0.0.
-- score: as given in the run
CREATE OR REPLACE MACRO exact_score(score) AS CAST(score AS DOUBLE) + 0e0;
