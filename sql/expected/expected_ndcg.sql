-- nDCG in expectation: the discounts of the places that tied documents take up are shared among them.
-- j: rows of judged
-- k: cut-off rank, as for ndcg
-- gain: 'linear' or 'exponential', as for ndcg
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_ndcg(j, k := NULL, gain := 'linear') AS
    -- the base of the logarithm is the same above and below, so it cancels
    coalesce(
        sum(
            CASE
                WHEN j.first_rank <= least(j.last_rank, k)
                    THEN graded_gain(j.relevance, gain)
                    / require_ties(j.num_tied)
                    * (
                        SELECT sum(1e0 / ln(1e0 + _p.place))
                        FROM range(j.first_rank, least(j.last_rank, k) + 1) AS _p (place)
                    )
            END
        )
        / nullif(sum(
            CASE
                WHEN j.ideal_rank <= coalesce(k, j.ideal_rank)
                    THEN graded_gain(j.relevance, gain) / ln(1e0 + j.ideal_rank)
            END
        ), 0),
        0e0
    );
