-- The mean of precision and recall in expectation: it grows evenly with the relevant documents found, and all else is the same for all orders of tied documents.
-- j: rows of judged
-- k: cut-off rank, as for mean_pr_at
-- mean: as for mean_pr_at
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_mean_pr_at(j, k := NULL, mean := 'arithmetic') AS
    coalesce(
        mean_share(
            sum(
                CASE
                    WHEN j.first_rank <= least(j.last_rank, k)
                        THEN 1e0 * j.relevant * (least(j.last_rank, k) - j.first_rank + 1)
                        / require_ties(j.num_tied)
                    ELSE 0e0
                END
            ),
            sum(CASE WHEN j.ideal_rank = 1 THEN coalesce(k, j.num_ret) END),
            sum(j.relevant),
            mean
        ),
        0e0
    );
