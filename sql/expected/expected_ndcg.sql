-- nDCG in expectation: the discounts of the places that tied documents take up are shared among them.
-- j: rows of judged
-- k: cut-off rank, as for ndcg
-- gain: 'binary', 'linear' or 'exponential', as for ndcg
-- negative: 'zero' or 'raw', as for ndcg
-- discount, base: as for ndcg
-- ideal: as for ndcg, but for 'retrieved', which a depth makes differ from order to order
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
    coalesce(
        sum(
            CASE
                WHEN j.first_rank <= least(j.last_rank, k)
                    THEN graded_gain(j.grade, gain, negative := negative)
                    / require_ties(j.num_tied)
                    * (
                        SELECT sum(1e0 / rank_discount(_p.place, discount, base))
                        FROM range(j.first_rank, least(j.last_rank, k) + 1) AS _p (place)
                    )
            END
        )
        / nullif(sum(
            CASE
                WHEN ideal = 'retrieved' THEN error('ideal is not ''retrieved'' where ties are expected')
                WHEN ideal = 'perfect' AND j.ideal_rank = 1
                    THEN perfect_dcg(coalesce(k, j.num_ret), discount, base)
                WHEN
                    ideal_place(ideal, j.ideal_rank, j.retrieved_ideal_rank)
                    <= coalesce(CASE WHEN ideal <> 'uncut' THEN k END, j.ideal_rank)
                    THEN
                        graded_gain(j.grade, gain, negative := negative)
                        / rank_discount(j.ideal_rank, discount, base)
            END
        ), 0),
        0e0
    );
