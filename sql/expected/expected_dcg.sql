-- DCG in expectation: the discounts of the places that tied documents take up are shared among them.
-- j: rows of judged
-- k: cut-off rank, as for dcg
-- gain: 'linear' or 'exponential', as for dcg
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_dcg(j, k := NULL, gain := 'linear') AS
    sum(
        CASE
            WHEN j.first_rank <= least(j.last_rank, k)
                THEN graded_gain(j.relevance, gain)
                / require_ties(j.num_tied)
                * (
                    SELECT sum(ln(2e0) / ln(1e0 + _p.place))
                    FROM range(j.first_rank, least(j.last_rank, k) + 1) AS _p (place)
                )
            ELSE 0e0
        END
    );
