-- False negatives, averaged over all orders of tied documents.
-- j: rows of judged
-- k: cut-off rank, or NULL for the whole ranking
CREATE OR REPLACE MACRO expected_fn(j, k) AS sum(j.relevant) - expected_tp(j, k);
