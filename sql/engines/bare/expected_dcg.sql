-- Expected DCG of rows named j, which a subquery must know: it is evaluated once for all documents of a score.
-- j, k: as for expected_dcg
-- gain, negative, discount, base: as for expected_dcg
CREATE OR REPLACE MACRO expected_dcg(
    j, k BIGINT := NULL, gain VARCHAR := 'linear', negative VARCHAR := 'zero', discount VARCHAR := 'log',
    base DOUBLE := 2
) AS
    exact_sum(
        CASE
            WHEN j.first_rank <= least(j.last_rank, k)
                THEN graded_gain(j.grade, gain, negative := negative)
                / require_ties(j.num_tied)
                * (SELECT perfect_dcg(j.first_rank, least(j.last_rank, k), discount, base)) -- noqa: RF01
            ELSE 0e0
        END
    );
