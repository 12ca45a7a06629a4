-- Expected false positives: each place occupied by tied documents holds any of them with equal probability.
-- j: rows of judged
-- k: as for fp_at; cut-off rank
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_fp_at(j, k BIGINT := NULL) AS
    1e0 * expected_fp(j, k);
