-- Expected balanced accuracy: it is linear in the number of relevant documents found; all else is the same for all
--     orders of tied documents.
-- j: rows of judged
-- k: as for balanced_accuracy_at; cut-off rank
-- corpus_size: as for balanced_accuracy_at
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_balanced_accuracy_at(j, k BIGINT := NULL, corpus_size BIGINT := NULL) AS
    -- recall and specificity; if nothing or everything is relevant, only one of them exists
    coalesce(
        (
            1e0 * expected_tp(j, k) / nullif(expected_tp(j, k) + expected_fn(j, k), 0)
            + 1e0 * expected_tn(j, k, corpus_size) / nullif(expected_tn(j, k, corpus_size) + expected_fp(j, k), 0)
        ) / 2,
        1e0 * expected_tn(j, k, corpus_size) / nullif(expected_tn(j, k, corpus_size) + expected_fp(j, k), 0),
        1e0 * expected_tp(j, k) / nullif(expected_tp(j, k) + expected_fn(j, k), 0)
    );
