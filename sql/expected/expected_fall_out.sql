-- Fall-out in expectation: each place that tied documents take up holds any of them with the same probability.
-- j: rows of judged
-- k: cut-off rank, as for fall_out
-- corpus_size: as for fall_out
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_fall_out(j, k := NULL, corpus_size := NULL) AS
    coalesce(
        CASE
            WHEN corpus_size IS NULL
                THEN
                    sum(
                        CASE
                            WHEN j.relevance >= 0 AND j.first_rank <= least(j.last_rank, k)
                                THEN 1e0 * (1 - j.relevant) * (least(j.last_rank, k) - j.first_rank + 1)
                                / require_ties(j.num_tied)
                            ELSE 0e0
                        END
                    )
                    / nullif(sum(CASE WHEN j.ideal_rank = 1 THEN j.num_nonrel END), 0)
            ELSE
                false_share(
                    sum(CASE WHEN j.ideal_rank = 1 THEN corpus_size END),
                    sum(CASE WHEN j.ideal_rank = 1 THEN first_of(k, j.num_ret) END),
                    sum(j.relevant),
                    sum(
                        CASE
                            WHEN j.first_rank <= least(j.last_rank, k)
                                THEN 1e0 * j.relevant * (least(j.last_rank, k) - j.first_rank + 1)
                                / require_ties(j.num_tied)
                            ELSE 0e0
                        END
                    )
                )
        END,
        0e0
    );
