-- False negatives in expectation: each place that tied documents take up holds any of them with the same probability.
-- j: rows of judged
-- k: cut-off rank, as for fn_at
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_fn_at(j, k := NULL) AS
    sum(j.relevant)
    - sum(
        CASE
            WHEN j.first_rank <= least(j.last_rank, k)
                THEN 1e0 * j.relevant * (least(j.last_rank, k) - j.first_rank + 1)
                / require_ties(j.num_tied)
            ELSE 0e0
        END
    );
