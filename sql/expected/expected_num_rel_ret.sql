-- The number of relevant documents retrieved, in expectation: a depth may cut through tied documents.
-- j: rows of judged
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_num_rel_ret(j) AS
    sum(
        CASE
            WHEN j.first_rank IS NOT NULL
                THEN 1e0 * j.relevant * (j.last_rank - j.first_rank + 1)
                / require_ties(j.num_tied)
            ELSE 0e0
        END
    );
