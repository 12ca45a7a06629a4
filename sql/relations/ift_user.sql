-- The stretches for a user who continues while there is gain to be had: until the total gain wanted is reached, and as
--     long as documents gain enough.
-- cwl_stretches: rows of cwl_stretches(judged)
-- T: above 0, or NULL; total gain the user wants, or NULL for none
-- b1: above 0; how readily users stop at a gain of T
-- R1: how much T matters to them
-- A: above 0, or NULL; gain per document that is worth the user's while, or NULL for any
-- b2: above 0; how readily users stop at a gain per document of A
-- R2: how much A matters to them
-- returns wanting: probability of continuing, as far as the total gain wanted matters
-- returns steps: probability of continuing past each rank of the stretch
-- returns passed: their product
-- returns reach: probability that the user looks at the first rank of the stretch
-- returns span: number of its ranks seen by a user who looks at the first
-- returns reach_beyond: probability that the user continues past the last rank
CREATE OR REPLACE MACRO ift_user(
    cwl_stretches, T DOUBLE := 2, b1 DOUBLE := 9e-1, R1 DOUBLE := 10, A DOUBLE := 2e-1, b2 DOUBLE := 9e-1,
    R2 DOUBLE := 10
) AS TABLE
SELECT
    _p.*,
    CASE
        WHEN
            coalesce(min(_p.passed) OVER (
                PARTITION BY _p.run_id, _p.query_id
                ORDER BY _p.rank ASC NULLS LAST, _p.opening DESC NULLS LAST
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ), 1e0) = 0e0 THEN 0e0
        ELSE
            exp(coalesce(from_fixed(sum(to_fixed(ln(nullif(_p.passed, 0e0)))) OVER (
                PARTITION BY _p.run_id, _p.query_id
                ORDER BY _p.rank ASC NULLS LAST, _p.opening DESC NULLS LAST
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            )), 0e0))
    END AS reach,
    CASE
        WHEN min(_p.passed) OVER (PARTITION BY _p.run_id, _p.query_id) = 0e0 THEN 0e0
        ELSE
            exp(coalesce(from_fixed(sum(to_fixed(ln(nullif(_p.passed, 0e0)))) OVER (
                PARTITION BY _p.run_id, _p.query_id
            )), 0e0))
    END AS reach_beyond
FROM ift_stretches(cwl_stretches, T, b1, R1, A, b2, R2) AS _p;
