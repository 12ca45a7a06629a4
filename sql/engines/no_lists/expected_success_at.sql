-- The probability that a relevant document is among the first k, without lists: each relevant document of the first
--     score with any relevant document adds its share.
-- j, k: as for success_at
CREATE OR REPLACE MACRO expected_success_at(j, k := NULL) AS
    coalesce(
        sum(
            CASE
                WHEN j.first_rank <= least(j.last_rank, k) AND j.relevant = 1 AND j.hits_above = 0
                    THEN
                        (1e0 - CASE
                            WHEN j.hits_tied > require_ties(j.num_tied) - (least(j.last_rank, k) - j.first_rank + 1)
                                THEN 0e0
                            -- the probability that all of them are below the places seen
                            ELSE exp(list_sum(list_transform(
                                range(0, j.hits_tied),
                                lambda _i: ln(
                                    1e0 * (j.num_tied - (least(j.last_rank, k) - j.first_rank + 1) - _i)
                                    / (j.num_tied - _i)
                                )
                            )))
                        END) / j.hits_tied
            END
        ),
        0e0
    );
