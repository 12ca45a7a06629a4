-- False negatives, on average over all orders of tied documents.
-- j: rows of judged
-- k: cut-off rank, NULL takes the whole ranking
CREATE OR REPLACE MACRO expected_fn(j, k) AS sum(j.relevant) - expected_tp(j, k);
