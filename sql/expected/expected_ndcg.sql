-- nDCG in expectation: the discounts of the places that tied documents take up are shared among them.
-- j: rows of judged
-- k: as for ndcg; cut-off rank
-- gain: as for ndcg
-- negative: as for ndcg
-- discount, base: as for ndcg
-- ideal: 'judged', 'uncut' or 'perfect'; as for ndcg, except 'retrieved', which a depth makes differ from order to
--     order
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_ndcg(
    j,
    k := NULL,
    gain := 'linear',
    negative := 'zero',
    discount := 'log',
    base := 2,
    ideal := 'judged'
) AS
    ratio(
        expected_dcg(j, k := k, gain := gain, negative := negative, discount := discount, base := base),
        CASE
            WHEN ideal = 'retrieved' THEN error('ideal is not ''retrieved'' where ties are expected')
            ELSE ideal_dcg(
                j, k := k, gain := gain, negative := negative, discount := discount, base := base, ideal := ideal
            )
        END
    );
