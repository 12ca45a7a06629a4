-- Expected false negatives: each place occupied by tied documents holds any of them with equal probability.
-- j: rows of judged
-- k: as for fn_at; cut-off rank
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_fn_at(j, k BIGINT := NULL) AS
    1e0 * expected_fn(j, k);
