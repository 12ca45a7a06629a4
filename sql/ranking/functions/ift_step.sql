-- The probability that an IFT user continues past a rank.
-- rank: the rank
-- gained: the user's gain so far
-- wanting: probability of continuing, as far as the total gain wanted matters
-- A: gain per document that is worth the user's while, or NULL for any
-- b2, R2: how readily users stop at A, and how much A matters to them
CREATE OR REPLACE MACRO ift_step(rank, gained, wanting, A, b2, R2) AS
    wanting / coalesce(1e0 + b2 * exp(1e0 * R2 * (A - gained / rank)), 1e0);
