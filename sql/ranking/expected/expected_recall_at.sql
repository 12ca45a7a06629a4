-- Expected recall: each place occupied by tied documents holds any of them with equal probability.
-- j: rows of judged
-- k: as for recall_at; cut-off rank
-- denominator: as for recall_at
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_recall_at(j, k BIGINT := NULL, denominator VARCHAR := 'relevant') AS
    ratio(expected_tp(j, k), once_per_query(j, divisor(denominator, k, j.num_rel, j.num_ret)));
