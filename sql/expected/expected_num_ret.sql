-- The number of documents retrieved, which the order of tied documents does not change.
-- j: rows of judged
CREATE OR REPLACE MACRO expected_num_ret(j) AS
    1e0 * max(j.num_ret);
