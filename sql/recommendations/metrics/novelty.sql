-- How few users had the recommended items, in bits (mean inverse user frequency, mean self-information).
-- name: Novelty, Novelty@k
-- aliases: MIUF; MeanInvUserFreq; SelfInformation
-- formula: mean over the first k: −log2(users who had the item / users of the history); an item that nobody had counts
--     as one that a single user had
-- relation: recommended
-- k: 1 or more; cut-off rank, or NULL for the whole list
-- range: 0 to ∞
-- differs: RePlay's Novelty is the share of items that the user did not have; recommenders divides by the number of
--     rows of the history
-- source: Zhou et al. 2010, doi:10.1073/pnas.1000488107; RecTools MeanInvUserFreq
CREATE OR REPLACE MACRO novelty(j, k BIGINT := NULL) AS
    exact_sum(CASE WHEN within_k(j.rank, k) THEN ln(1e0 * j.num_users / greatest(j.users, 1)) END) / ln(2e0)
    / count(CASE WHEN within_k(j.rank, k) THEN 1 END);
