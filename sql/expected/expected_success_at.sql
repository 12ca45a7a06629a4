-- The probability that a relevant document is among the first k.
-- j: rows of judged
-- k: as for success_at; cut-off rank
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_success_at(j, k BIGINT := NULL) AS
    coalesce(
        list_transform(
            -- only the first score with relevant documents matters, and each of these has the same value
            [any_value(
                CASE
                    WHEN j.first_rank <= least(j.last_rank, k) AND j.relevant = 1 AND j.hits_above = 0
                        THEN struct_pack(
                            seen := least(j.last_rank, k) - j.first_rank + 1,
                            hits := j.hits_tied,
                            num_tied := require_ties(j.num_tied)
                        )
                END
            )],
            -- the product: the probability that all of them are below the places seen; HAVING forbids dots in LAMBDA
            LAMBDA _g: 1e0 - list_product(list_transform(
                range(0, _g['hits']),
                LAMBDA i: 1e0 * (_g['num_tied'] - _g['seen'] - i) / (_g['num_tied'] - i)
            ))
        )[1],
        0e0
    );
