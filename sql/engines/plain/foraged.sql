-- The stretches under a user who goes on while there is gain to be had, without lists: sums of logarithms.
CREATE OR REPLACE MACRO foraged(
    stretches, T := 2, b1 := 9e-1, R1 := 10, A := 2e-1, b2 := 9e-1, R2 := 10
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
            exp(coalesce(sum(ln(nullif(_p.passed, 0e0))) OVER (
                PARTITION BY _p.run_id, _p.query_id
                ORDER BY _p.rank ASC NULLS LAST, _p.opening DESC NULLS LAST
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ), 0e0))
    END AS reach,
    CASE
        WHEN min(_p.passed) OVER (PARTITION BY _p.run_id, _p.query_id) = 0e0 THEN 0e0
        ELSE
            exp(coalesce(sum(ln(nullif(_p.passed, 0e0))) OVER (
                PARTITION BY _p.run_id, _p.query_id
            ), 0e0))
    END AS reach_beyond
FROM (
    SELECT
        _c.*,
        CASE
            WHEN _c.until < _c.rank THEN 1e0
            WHEN _c.wanting = 0e0 THEN 0e0
            ELSE exp(list_sum(list_transform(
                range(_c.rank, _c.seen_until + 1),
                lambda _i: ln(forager_step(_i, _c.gained, _c.wanting, A, b2, R2))
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
                    lambda _i: ln(forager_step(_i, _c.gained, _c.wanting, A, b2, R2))
                )))
            )), 0e0)
        END AS span
    FROM (
        SELECT
            _w.*,
            -- ranks that hardly any user gets to, less than one in 10^20, are left out
            least(_w.until, coalesce(
                _w.rank + CAST(-46e0 / nullif(ln(nullif(greatest(_w.first_step, _w.last_step), 0e0)), 0e0) AS BIGINT),
                _w.until
            )) AS seen_until
        FROM (
            SELECT
                _v.*,
                forager_step(_v.rank, _v.gained, _v.wanting, A, b2, R2) AS first_step,
                forager_step(greatest(_v.rank, _v.until), _v.gained, _v.wanting, A, b2, R2) AS last_step
            FROM (
                SELECT
                    _s.*,
                    coalesce(1e0 - 1e0 / (1e0 + b1 * exp(1e0 * R1 * (T - _s.gained))), 1e0) AS wanting
                FROM query_table(stretches) AS _s
            ) AS _v
        ) AS _w
    ) AS _c
) AS _p;
