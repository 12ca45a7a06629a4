-- True negatives: documents of the collection that are neither among the first k nor relevant.
-- j: rows of judged
-- k: cut-off rank, or NULL for the whole ranking
-- corpus_size: number of documents in the collection
CREATE OR REPLACE MACRO tn(j, k, corpus_size) AS
    remaining(once_per_query(j, corpus_size), tp(j, k) + fp(j, k) + fn(j, k));
