-- Balanced accuracy in expectation: it grows evenly with the relevant documents found, and all else is the same for all
--     orders of tied documents.
-- j: rows of judged
-- k: as for balanced_accuracy_at; cut-off rank
-- corpus_size: as for balanced_accuracy_at
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_balanced_accuracy_at(j, k := NULL, corpus_size := NULL) AS
    -- recall and specificity; where nothing is relevant, or everything, there is only one of both
    coalesce(
        (
            1e0 * expected_tp(j, k) / nullif(expected_tp(j, k) + expected_fn(j, k), 0)
            + 1e0 * expected_tn(j, k, corpus_size) / nullif(expected_tn(j, k, corpus_size) + expected_fp(j, k), 0)
        ) / 2,
        1e0 * expected_tn(j, k, corpus_size) / nullif(expected_tn(j, k, corpus_size) + expected_fp(j, k), 0),
        1e0 * expected_tp(j, k) / nullif(expected_tp(j, k) + expected_fn(j, k), 0)
    );
