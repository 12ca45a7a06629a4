-- True negatives, averaged over all orders of tied documents.
-- j: rows of judged
-- k: cut-off rank, or NULL for the whole ranking
-- corpus_size: number of documents in the collection
CREATE OR REPLACE MACRO expected_tn(j, k, corpus_size) AS
    remaining(once_per_query(j, corpus_size), expected_tp(j, k) + expected_fp(j, k) + expected_fn(j, k));
