-- The stretches, with the probability that an IFT user continues past each and the number of its ranks seen.
-- cwl_stretches, T, b1, R1, A, b2, R2: as for ift_user
CREATE OR REPLACE MACRO ift_stretches(cwl_stretches, T, b1, R1, A, b2, R2) AS TABLE
SELECT
    _c.*,
    steps_passed(_c.steps) AS passed,
    steps_taken(_c.steps) AS span
FROM (
    SELECT
        _w.*,
        ift_steps(_w.rank, _w.until, _w.gained, _w.wanting, A, b2, R2) AS steps
    FROM (
        SELECT
            _s.*,
            coalesce(1e0 - 1e0 / (1e0 + b1 * exp(1e0 * R1 * (T - _s.gained))), 1e0) AS wanting
        FROM query_table(cwl_stretches) AS _s
    ) AS _w
) AS _c;
