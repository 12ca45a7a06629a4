-- Expected Matthews correlation: it is linear in the number of relevant documents found; all else is the same for all
--     orders of tied documents.
-- j: rows of judged
-- k: as for mcc_at; cut-off rank
-- corpus_size: as for mcc_at
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_mcc_at(j, k BIGINT := NULL, corpus_size BIGINT := NULL) AS
    ratio(
        1e0 * expected_tp(j, k) * expected_tn(j, k, corpus_size) - 1e0 * expected_fp(j, k) * expected_fn(j, k),
        sqrt(1e0 * (expected_tp(j, k) + expected_fp(j, k)) * (expected_tp(j, k) + expected_fn(j, k)))
        * sqrt(
            1e0 * (expected_tn(j, k, corpus_size) + expected_fp(j, k))
            * (expected_tn(j, k, corpus_size) + expected_fn(j, k))
        )
    );
