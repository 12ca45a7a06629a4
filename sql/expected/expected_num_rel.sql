-- The number of relevant documents, which the order of tied documents does not change.
-- j: rows of judged
CREATE OR REPLACE MACRO expected_num_rel(j) AS
    1e0 * sum(j.relevant);
