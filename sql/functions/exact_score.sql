-- The score of a document as it is compared: a 32-bit score keeps its value, and with it the ties that 32 bits make.
-- score: as the run has it
CREATE OR REPLACE MACRO exact_score(score) AS CAST(score AS DOUBLE);
