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
