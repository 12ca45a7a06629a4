-- R-precision in expectation: each place that tied documents take up holds any of them with the same probability.
-- j: rows of judged
-- multiple: how many times R is the rank, as for rprec
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_rprec(j, multiple := 1) AS
    coalesce(
        sum(
            CASE
                WHEN j.first_rank <= least(1e0 * j.last_rank, floor(1e0 * multiple * j.num_rel + 9e-1))
                    THEN
                        1e0 * j.relevant
                        * (least(1e0 * j.last_rank, floor(1e0 * multiple * j.num_rel + 9e-1)) - j.first_rank + 1)
                        / require_ties(j.num_tied)
            END
        )
        / nullif(floor(1e0 * multiple * max(j.num_rel) + 9e-1), 0),
        0e0
    );
