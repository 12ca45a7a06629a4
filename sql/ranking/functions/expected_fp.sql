-- False positives, averaged over all orders of tied documents.
-- j: rows of judged
-- k: cut-off rank, or NULL for the whole ranking
CREATE OR REPLACE MACRO expected_fp(j, k) AS once_per_query(j, retrieved_at(k, j.num_ret)) - expected_tp(j, k);
