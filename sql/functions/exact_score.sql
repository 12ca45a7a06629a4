-- The score of a document for comparisons: a 32-bit score keeps its value, and so the ties that 32 bits create.
-- score: as given in the run
CREATE OR REPLACE MACRO exact_score(score) AS CAST(score AS DOUBLE);
