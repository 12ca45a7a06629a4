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
    product_above(_p, _p.passed) AS reach,
    product_of_all(_p, _p.passed) AS reach_beyond
FROM ift_stretches(cwl_stretches, T, b1, R1, A, b2, R2) AS _p;
