-- The stretches, with the probability that an IFT user continues past each and the number of its ranks seen, without
--     lists: by sums of logarithms.
-- cwl_stretches, T, b1, R1, A, b2, R2: as for ift_user
CREATE OR REPLACE MACRO ift_stretches(cwl_stretches, T, b1, R1, A, b2, R2) AS TABLE
SELECT
    _c.*,
    CASE
        WHEN _c.until < _c.rank THEN 1e0
        WHEN _c.wanting = 0e0 THEN 0e0
        ELSE exp(list_sum(list_transform(
            range(_c.rank, _c.seen_until + 1),
            lambda _i: ln(ift_step(_i, _c.gained, _c.wanting, A, b2, R2))
        )))
    END AS passed,
    CASE
        WHEN _c.until < _c.rank THEN 0e0
        WHEN _c.wanting = 0e0 THEN 1e0
        -- the last step leads out of the stretch
        ELSE 1e0 + coalesce(list_sum(list_transform(
            range(_c.rank, _c.seen_until),
            lambda _last: exp(list_sum(list_transform(
                range(_c.rank, _last + 1),
                lambda _i: ln(ift_step(_i, _c.gained, _c.wanting, A, b2, R2))
            )))
        )), 0e0)
    END AS span
FROM (
    SELECT
        _w.*,
        -- ranks that fewer than one user in 10^20 reaches are left out
        least(_w.until, coalesce(
            _w.rank + CAST(-46e0 / nullif(ln(nullif(greatest(_w.first_step, _w.last_step), 0e0)), 0e0) AS BIGINT),
            _w.until
        )) AS seen_until
    FROM (
        SELECT
            _v.*,
            ift_step(_v.rank, _v.gained, _v.wanting, A, b2, R2) AS first_step,
            ift_step(greatest(_v.rank, _v.until), _v.gained, _v.wanting, A, b2, R2) AS last_step
        FROM (
            SELECT
                _s.*,
                coalesce(1e0 - 1e0 / (1e0 + b1 * exp(1e0 * R1 * (T - _s.gained))), 1e0) AS wanting
            FROM query_table(cwl_stretches) AS _s
        ) AS _v
    ) AS _w
) AS _c;
