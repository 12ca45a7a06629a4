-- Expected RBP: tied documents share the weights of the places they occupy, a geometric sum.
-- j: rows of judged
-- k: as for rbp; cut-off rank
-- p: as for rbp; probability that the user continues
-- gain: as for rbp
-- max_rel: as for rbp; highest grade of the scale
-- scaled: as for rbp; whether to divide gains by the highest gain of the query
-- denominator: as for rbp; ranks whose weights sum to 1
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_rbp(
    j, k BIGINT := NULL, p DOUBLE := 8e-1, gain VARCHAR := 'binary', max_rel DOUBLE := NULL, scaled BOOLEAN := FALSE,
    denominator VARCHAR := 'endless'
) AS
    ratio(
        exact_sum(
            CASE
                WHEN j.first_rank <= least(j.last_rank, k)
                    THEN (power(1e0 * p, j.first_rank - 1) - power(1e0 * p, least(j.last_rank, k)))
                    / require_ties(j.num_tied)
                    * rbp_gain(j.relevant, j.grade, gain, max_rel)
            END
        ),
        rbp_scale(j, k, p, gain, scaled, denominator)
    );
