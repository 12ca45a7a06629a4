-- The probability that a user of IFT goes on from a rank.
-- rank: the rank
-- gained: what the user has gained
-- wanting: probability to go on as far as the gain wanted in all matters
-- A: gain per document that the user finds worth while, NULL for any
-- b2, R2: how readily users stop at A, and how much it matters
CREATE OR REPLACE MACRO ift_step(rank, gained, wanting, A, b2, R2) AS
    wanting / coalesce(1e0 + b2 * exp(1e0 * R2 * (A - gained / rank)), 1e0);
