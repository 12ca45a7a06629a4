-- Expected share of judged documents: each place occupied by tied documents holds any of them with equal probability.
-- j: rows of judged
-- k: as for judged_at; cut-off rank
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_judged_at(j, k BIGINT := NULL) AS
    ratio(exact_sum(CASE WHEN j.relevance >= 0 THEN within_k_chance(j, k) END), retrieved_at(k, max(j.num_ret)));
