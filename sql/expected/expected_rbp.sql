-- RBP in expectation: the weights of the places that tied documents take up, a geometric sum, are shared among them.
-- j: rows of judged
-- k: cut-off rank, as for rbp
-- p: probability that the user goes on, as for rbp
-- max_rel: highest grade of the scale, as for rbp
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_rbp(j, k := NULL, p := 8e-1, max_rel := NULL) AS
    sum(
        CASE
            WHEN j.first_rank <= least(j.last_rank, k)
                THEN (power(1e0 * p, j.first_rank - 1) - power(1e0 * p, least(j.last_rank, k)))
                / require_ties(j.num_tied)
                * CASE
                    WHEN max_rel IS NULL THEN 1e0 * j.relevant
                    ELSE graded_gain(within_scale(j.relevance, max_rel), 'linear') / max_rel
                END
            ELSE 0e0
        END
    );
