-- The probability that a user who reads from the top, and may give up after each document, finds an answer.
-- name: PFound, PFound@k
-- formula: Σ over the first k: stop(i) · Π_{j<i} (1 − stop(j)) · decay^(i − 1), stop = (2^relevance − 1) / 2^max_rel
-- relation: cascade(max_rel, gain, gains)
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- decay: between 0 and 1; probability to go on after a document that does not satisfy
-- aggregate: mean or pooled
-- range: 0 to 1
-- no relevant: 0
-- differs: the labels of CatBoost are the probabilities that documents satisfy, as with gain = 'probability'; gains
--     maps grades to them
-- source: Gulin et al. 2009, Yandex at ROMIP'2009: optimization of ranking algorithms by machine learning methods;
--     decay as in CatBoost
CREATE OR REPLACE MACRO pfound(j, k BIGINT := NULL, decay DOUBLE := 85e-2) AS
    ratio(
        exact_sum(CASE WHEN within_k(j.rank, k) THEN j.reach * j.stop * power(1e0 * decay, j.rank - 1) END),
        once_per_query(j, 1)
    );
