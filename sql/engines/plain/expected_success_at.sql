-- The probability that a relevant document is among the first k, without lists: each relevant document of the first score that has any says its share.
-- j, k: as for success_at
CREATE OR REPLACE MACRO expected_success_at(j, k := NULL) AS
    coalesce(
        sum(
            CASE
                WHEN j.first_rank > coalesce(k, j.first_rank) OR j.relevant = 0 OR j.hits_above > 0 THEN 0e0
                WHEN j.hits_tied > require_ties(j.num_tied) - (least(j.last_rank, k) - j.first_rank + 1)
                    THEN 1e0 / j.hits_tied
                -- the chance that all of them are below the places seen
                WHEN j.relevant = 1
                    THEN (1e0 - exp(list_sum(list_transform(
                        range(0, j.hits_tied),
                        lambda _i: ln(
                            1e0 * (j.num_tied - (least(j.last_rank, k) - j.first_rank + 1) - _i) / (j.num_tied - _i)
                        )
                    )))) / j.hits_tied
            END
        ),
        0e0
    );
