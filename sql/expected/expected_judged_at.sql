-- The share of judged documents in expectation: each place that tied documents take up holds any of them with the same
--     probability.
-- j: rows of judged
-- k: as for judged_at; cut-off rank
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_judged_at(j, k := NULL) AS
    ratio(total(CASE WHEN j.relevance >= 0 THEN first_k_chance(j, k) END), retrieved_at(k, max(j.num_ret)));
