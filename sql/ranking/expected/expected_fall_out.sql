-- Expected fall-out: each place occupied by tied documents holds any of them with equal probability.
-- j: rows of judged
-- k: as for fall_out; cut-off rank
-- corpus_size: as for fall_out
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_fall_out(j, k BIGINT := NULL, corpus_size BIGINT := NULL) AS
    CASE
        WHEN corpus_size IS NULL
            THEN ratio(
                exact_sum(CASE WHEN j.relevance >= 0 THEN (1 - j.relevant) * within_k_chance(j, k) END),
                once_per_query(j, j.num_nonrel)
            )
        ELSE ratio(expected_fp(j, k), expected_fp(j, k) + expected_tn(j, k, corpus_size))
    END;
