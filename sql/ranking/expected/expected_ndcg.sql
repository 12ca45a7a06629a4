-- Expected nDCG: tied documents share the discounts of the places they occupy.
-- j: rows of judged
-- k: as for ndcg; cut-off rank
-- gain: as for ndcg
-- negative: as for ndcg
-- discount, base: as for ndcg
-- ideal: 'judged', 'uncut' or 'perfect'; as for ndcg, except 'retrieved', which varies with the order if there is a
--     depth
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_ndcg(
    j, k BIGINT := NULL, gain VARCHAR := 'linear', negative VARCHAR := 'zero', discount VARCHAR := 'log',
    base DOUBLE := 2, ideal VARCHAR := 'judged'
) AS
    ratio(
        expected_dcg(j, k := k, gain := gain, negative := negative, discount := discount, base := base),
        CASE
            WHEN ideal = 'retrieved' THEN error('expected nDCG does not support ideal := ''retrieved''')
            ELSE ideal_dcg(
                j, k := k, gain := gain, negative := negative, discount := discount, base := base, ideal := ideal
            )
        END
    );
