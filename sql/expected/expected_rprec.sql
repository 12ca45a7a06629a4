-- R-precision in expectation: each place that tied documents take up holds any of them with the same probability.
-- j: rows of judged
-- multiple: as for rprec; how many times R is the rank
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_rprec(j, multiple := 1) AS
    ratio(
        expected_tp(j, recall_count(multiple, j.num_rel, 9e-1)),
        per_query(j, recall_count(multiple, j.num_rel, 9e-1))
    );
