-- Expected accuracy: it is linear in the number of relevant documents found; all else is the same for all orders of
--     tied documents.
-- j: rows of judged
-- k: as for accuracy_at; cut-off rank
-- corpus_size: as for accuracy_at
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_accuracy_at(j, k BIGINT := NULL, corpus_size BIGINT := NULL) AS
    (expected_tp(j, k) + expected_tn(j, k, corpus_size)) / (1e0 * once_per_query(j, corpus_size));
