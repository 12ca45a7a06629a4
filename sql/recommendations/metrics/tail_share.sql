-- The share of the recommended items that are in the long tail of the history.
-- name: TailShare, TailShare@k
-- aliases: TailPercentage
-- formula: items of the tail among the first k / items among the first k
-- relation: recommended
-- k: 1 or more; cut-off rank, or NULL for the whole list
-- tail: above 0; this share of the items of the history, at least one, the least popular ones, or above 1 those that no
--     more users had
-- range: 0 to 1
-- source: RecBole TailPercentage; Abdollahpouri, Burke and Mobasher 2019, arXiv:1901.07555
CREATE OR REPLACE MACRO tail_share(j, k BIGINT := NULL, tail DOUBLE := 0.1) AS
    1e0 * count(
        CASE
            WHEN NOT within_k(j.rank, k) THEN NULL
            WHEN tail > 1 AND j.users > 0 AND j.users <= tail THEN 1
            WHEN tail <= 1 AND j.place <= greatest(floor(j.num_items * tail), 1) THEN 1
        END
    ) / count(CASE WHEN within_k(j.rank, k) THEN 1 END);
