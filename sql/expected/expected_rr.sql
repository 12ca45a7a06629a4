-- Expected RR: 1 / rank at each place that the first relevant document may take among those with the same score.
-- j: rows of judged
-- k: as for rr; cut-off rank
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_rr(j, k BIGINT := NULL) AS
    coalesce(
        list_transform(
            -- only the first score with relevant documents matters, and each of these has the same value
            [any_value(
                CASE
                    WHEN j.first_rank <= least(j.last_rank, k) AND j.relevant = 1 AND j.hits_above = 0
                        THEN struct_pack(
                            first_rank := j.first_rank,
                            seen := least(j.last_rank, k) - j.first_rank + 1,
                            hits := j.hits_tied,
                            num_tied := require_ties(j.num_tied)
                        )
                END
            )],
            -- the first place has probability hits / num_tied, each later one its share of the one before;
            -- probability / place is summed from the last place up, as in Horner's rule. HAVING forbids dots in LAMBDA
            LAMBDA _g: 1e0 * _g['hits'] / _g['num_tied'] * list_reduce( -- noqa: LT01
                list_transform(
                    range(least(_g['seen'] - 1, _g['num_tied'] - _g['hits']), -1, -1),
                    LAMBDA i: struct_pack(
                        share := 1e0 * (_g['num_tied'] - _g['hits'] + 1 - i) / (_g['num_tied'] - i),
                        total := 1e0 / (_g['first_rank'] + i)
                    )
                ), -- noqa: PRS, a LAMBDA of two
                LAMBDA below, place: struct_pack(
                    share := place['share'],
                    total := place['total'] + below['share'] * below['total']
                )
            )['total']
        )[1],
        0e0
    );
