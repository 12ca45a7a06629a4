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
    (
        SELECT
            exact_sum(
                CASE
                    WHEN _p.first_rank <= _p.last_rank THEN _p.own / require_ties(_p.num_tied) * _p.places ELSE 0e0
                END
            )
        FROM (
            SELECT
                _d.*,
                -- a subquery over columns is evaluated once for all documents of a score
                (SELECT perfect_dcg(_d.first_rank, _d.last_rank, discount, base)) AS places
            FROM (
                SELECT
                    unnest(list(CAST(row(
                        j.first_rank, -- noqa: RF01
                        least(j.last_rank, k), -- noqa: RF01
                        j.num_tied, -- noqa: RF01
                        graded_gain(j.grade, gain, negative := negative) -- noqa: RF01
                    ) AS STRUCT(first_rank BIGINT, last_rank BIGINT, num_tied BIGINT, own DOUBLE))), recursive := TRUE)
            ) AS _d
        ) AS _p
    );
