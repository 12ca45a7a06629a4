-- The share of relevant documents to expect, given those drawn at random.
-- relevant, judged: how many of those drawn are relevant, and how many were drawn
CREATE OR REPLACE MACRO inferred_share(relevant, judged) AS (relevant + 1e-5) / (judged + 3e-5);
