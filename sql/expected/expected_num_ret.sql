-- The number of documents retrieved, which the order of tied documents does not change.
-- j: rows of judged
-- k: cut-off rank, as for num_ret
CREATE OR REPLACE MACRO expected_num_ret(j, k := NULL) AS
    1e0 * least(max(j.num_ret), k);
