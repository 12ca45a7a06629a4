-- Expected DCG: tied documents share the discounts of the places they occupy.
-- j: rows of judged
-- k: as for dcg; cut-off rank
-- gain: as for dcg
-- negative: as for dcg
-- discount, base: as for dcg
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_dcg(
    j, k BIGINT := NULL, gain VARCHAR := 'linear', negative VARCHAR := 'zero', discount VARCHAR := 'log',
    base DOUBLE := 2
) AS
    exact_sum(
        CASE
            WHEN j.first_rank <= least(j.last_rank, k)
                THEN graded_gain(j.grade, gain, negative := negative)
                / require_ties(j.num_tied)
                * perfect_dcg(j.first_rank, least(j.last_rank, k), discount, base)
            ELSE 0e0
        END
    );
