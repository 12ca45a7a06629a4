-- The probability that a relevant document is among the first k.
-- j: rows of judged
-- k: as for success_at; cut-off rank
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_success_at(j, k BIGINT := NULL) AS
    coalesce(
        let(
            first_hits(j, k),
            -- the product: the probability that all of them are below the places seen; HAVING forbids dots in LAMBDA
            LAMBDA _g: 1e0 - list_product(list_transform(
                range(0, _g['hits']),
                LAMBDA i: 1e0 * (_g['num_tied'] - _g['seen'] - i) / (_g['num_tied'] - i)
            ))
        ),
        0e0
    );
