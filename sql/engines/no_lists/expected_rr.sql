-- Expected RR, without lists: each relevant document of the first score with any relevant document adds its share.
-- j, k: as for rr
CREATE OR REPLACE MACRO expected_rr(j, k := NULL) AS
    coalesce(
        sum(
            CASE
                WHEN j.first_rank <= least(j.last_rank, k) AND j.relevant = 1 AND j.hits_above = 0
                    -- the first place has probability hits / num_tied, each later one its share of the one before
                    THEN 1e0 / require_ties(j.num_tied) * list_sum(list_transform(
                        range(0, least(least(j.last_rank, k) - j.first_rank, j.num_tied - j.hits_tied) + 1),
                        lambda _i: exp(coalesce(list_sum(list_transform(
                            range(1, _i + 1),
                            lambda _t: ln(1e0 * (j.num_tied - j.hits_tied + 1 - _t) / (j.num_tied - _t))
                        )), 0e0)) / (j.first_rank + _i)
                    ))
            END
        ),
        0e0
    );
