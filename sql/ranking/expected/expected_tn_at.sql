-- Expected true negatives: each place occupied by tied documents holds any of them with equal probability.
-- j: rows of judged
-- k: as for tn_at; cut-off rank
-- corpus_size: as for tn_at
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_tn_at(j, k BIGINT := NULL, corpus_size BIGINT := NULL) AS
    1e0 * expected_tn(j, k, corpus_size);
