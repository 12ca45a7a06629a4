-- F in expectation: its denominator is the same for all orders of tied documents, so that of precision and recall carries over.
-- j: rows of judged
-- k: cut-off rank, as for f_at
-- beta, alpha, beta_squared: weight of recall or precision, as for f_at
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_f_at(j, k := NULL, beta := 1e0, alpha := NULL, beta_squared := NULL) AS
    coalesce(
        sum(
            CASE
                WHEN j.first_rank <= least(j.last_rank, k)
                    THEN 1e0 * j.relevant * (least(j.last_rank, k) - j.first_rank + 1)
                    / require_ties(j.num_tied)
            END
        )
        / nullif(
            precision_weight(beta, alpha, beta_squared) * coalesce(k, max(j.num_ret))
            + (1e0 - precision_weight(beta, alpha, beta_squared)) * max(j.num_rel),
            0
        ),
        0e0
    );
