-- True negatives, on average over all orders of tied documents.
-- j: rows of judged
-- k: cut-off rank, NULL takes the whole ranking
-- corpus_size: documents of the collection
CREATE OR REPLACE MACRO expected_tn(j, k, corpus_size) AS
    remaining(per_query(j, corpus_size), expected_tp(j, k) + expected_fp(j, k) + expected_fn(j, k));
