-- The score of a document as it is compared, with one zero: this engine puts -0.0 below 0.0.
-- score: as the run has it
CREATE OR REPLACE MACRO exact_score(score) AS CAST(score AS DOUBLE) + 0e0;
