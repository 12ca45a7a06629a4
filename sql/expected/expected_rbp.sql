-- RBP in expectation: the weights of the places that tied documents take up, a geometric sum, are shared among them.
-- j: rows of judged
-- k: cut-off rank, as for rbp
-- p: probability that the user goes on, as for rbp
-- gain: 'binary', 'linear' or 'exponential', as for rbp
-- max_rel: highest grade of the scale, as for rbp
-- denominator: whose weights make 1, as for rbp
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_rbp(
    j, k := NULL, p := 8e-1, gain := 'binary', max_rel := NULL, denominator := 'endless'
) AS
    coalesce(
        sum(
            CASE
                WHEN j.first_rank <= least(j.last_rank, k)
                    THEN (power(1e0 * p, j.first_rank - 1) - power(1e0 * p, least(j.last_rank, k)))
                    / require_ties(j.num_tied)
                    * patient_gain(j.relevant, j.grade, gain, max_rel)
                ELSE 0e0
            END
        )
        / nullif(sum(
            CASE
                WHEN j.ideal_rank = 1 AND denominator = 'endless' THEN 1e0
                WHEN j.ideal_rank = 1
                    THEN 1e0 - power(1e0 * p, divisor(denominator, k, j.num_rel, j.num_ret))
            END
        ), 0),
        0e0
    );
