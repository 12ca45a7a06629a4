-- The number of relevant documents; the order of tied documents does not change it.
-- j: rows of judged
CREATE OR REPLACE MACRO expected_num_rel(j) AS
    1e0 * sum(j.relevant);
