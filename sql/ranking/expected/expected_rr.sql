-- Expected RR: 1 / rank at each place that the first relevant document may take among those with the same score.
-- j: rows of judged
-- k: as for rr; cut-off rank
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_rr(j, k BIGINT := NULL) AS
    coalesce(
        let(
            first_hits(j, k),
            -- the first place has probability hits / num_tied, each later one its share of the one before;
            -- probability / rank is summed from the last place up. HAVING forbids dots in LAMBDA
            LAMBDA _g: 1e0 * _g['hits'] / _g['num_tied'] * list_reduce( -- noqa: LT01
                CAST(range(least(_g['seen'] - 1, _g['num_tied'] - _g['hits']), 0, -1) AS DOUBLE[]), -- noqa: PRS
                LAMBDA below, i: 1e0 / (_g['first_rank'] + i - 1)
                    + (_g['num_tied'] - _g['hits'] + 1 - i) / (_g['num_tied'] - i) * below,
                1e0 / (_g['first_rank'] + least(_g['seen'] - 1, _g['num_tied'] - _g['hits']))
            )
        ),
        0e0
    );
