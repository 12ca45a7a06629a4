-- The stretches for a user who wants a certain gain, and is less likely to continue as it comes closer.
-- cwl_stretches: rows of cwl_stretches(judged)
-- T: above 0; total gain the user wants
-- returns aim: 2T minus the user's gain, including the document of this row
-- returns passed: probability that a user who looks at the first rank of the stretch continues past its last
-- returns reach: probability that the user looks at the first rank of the stretch
-- returns span: number of its ranks seen by a user who looks at the first
-- returns reach_beyond: probability that the user continues past the last rank
CREATE OR REPLACE MACRO inst_user(cwl_stretches, T DOUBLE := 1) AS TABLE
SELECT
    _p.*,
    product_above(_p, _p.passed) AS reach,
    product_of_all(_p, _p.passed) AS reach_beyond
FROM (
    SELECT
        _a.*,
        -- the product over the stretch of C(i) = ((i - 1 + aim) / (i + aim))^2
        power((_a.rank - 1 + _a.aim) / (_a.until + _a.aim), 2) AS passed,
        inst_span(_a.rank, _a.until, _a.aim) AS span
    FROM (
        SELECT
            _s.*,
            2e0 * T - _s.gained AS aim
        FROM query_table(cwl_stretches) AS _s
    ) AS _a
) AS _p;
