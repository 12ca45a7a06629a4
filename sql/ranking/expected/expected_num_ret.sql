-- The number of documents retrieved; the order of tied documents does not change it.
-- j: rows of judged
-- k: as for num_ret; cut-off rank
CREATE OR REPLACE MACRO expected_num_ret(j, k BIGINT := NULL) AS
    1e0 * retrieved_at(k, max(j.num_ret));
