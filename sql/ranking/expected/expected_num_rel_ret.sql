-- Expected number of relevant documents retrieved: a depth or cut-off may split tied documents.
-- j: rows of judged
-- k: as for num_rel_ret; cut-off rank
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_num_rel_ret(j, k BIGINT := NULL) AS
    1e0 * expected_tp(j, k);
