-- For each rank of a stretch, the probability that an IFT user continues past it.
-- rank, until: first and last rank of the stretch
-- gained, wanting, A, b2, R2: as for ift_step
CREATE OR REPLACE MACRO ift_steps(rank, until, gained, wanting, A, b2, R2) AS
    list_transform(
        -- ranks that fewer than one user in 10^20 reaches are left out
        range(rank, 1 + least(until, coalesce(rank + CAST(
            -46e0 / nullif(ln(nullif(greatest(
                ift_step(rank, gained, wanting, A, b2, R2),
                ift_step(greatest(rank, until), gained, wanting, A, b2, R2)
            ), 0e0)), 0e0) AS BIGINT
        ), until))),
        lambda _i: ift_step(_i, gained, wanting, A, b2, R2)
    );
