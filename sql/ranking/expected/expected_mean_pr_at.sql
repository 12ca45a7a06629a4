-- Expected mean of precision and recall: it is linear in the number of relevant documents found; all else is the same
--     for all orders of tied documents.
-- j: rows of judged
-- k: as for mean_pr_at; cut-off rank
-- mean: as for mean_pr_at
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_mean_pr_at(j, k BIGINT := NULL, mean VARCHAR := 'arithmetic') AS
    CASE mean
        WHEN 'arithmetic' THEN (expected_precision_at(j, k := k) + expected_recall_at(j, k := k)) / 2
        WHEN 'geometric' THEN sqrt(expected_precision_at(j, k := k) * expected_recall_at(j, k := k))
    END;
