-- Expected R-precision: each place occupied by tied documents holds any of them with equal probability.
-- j: rows of judged
-- multiple: as for rprec; cut-off rank as a multiple of R
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_rprec(j, multiple DOUBLE := 1) AS
    ratio(
        expected_tp(j, recall_count(multiple, j.num_rel, 9e-1)),
        once_per_query(j, recall_count(multiple, j.num_rel, 9e-1))
    );
