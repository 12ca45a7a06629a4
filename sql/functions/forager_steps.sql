-- For each rank of a stretch, the probability that a user of IFT goes on from it.
-- rank, until: first and last rank of the stretch
-- gained: what the user has gained
-- wanting: probability to go on as far as the gain wanted in all matters
-- A: gain per document that the user finds worth while, NULL for any
-- b2, R2: how readily users stop at A, and how much it matters
CREATE OR REPLACE MACRO forager_steps(rank, until, gained, wanting, A, b2, R2) AS
    list_transform(
        range(rank, until + 1),
        lambda _i: wanting / coalesce(1e0 + b2 * exp(1e0 * R2 * (A - gained / _i)), 1e0)
    );
