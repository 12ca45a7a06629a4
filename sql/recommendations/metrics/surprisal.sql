-- Novelty on a scale from 0 to 1: an item that one user had, or nobody, counts 1.
-- name: Surprisal, Surprisal@k
-- formula: Σ over the first k: log(users of the history / users who had the item) / log(users of the history) / k
-- relation: recommended
-- k: 1 or more; cut-off rank, or NULL for the whole list, whose length is then k
-- range: 0 to 1
-- source: RePlay Surprisal
CREATE OR REPLACE MACRO surprisal(j, k BIGINT := NULL) AS
    exact_sum(CASE WHEN within_k(j.rank, k) THEN ln(1e0 * j.num_users / greatest(j.users, 1)) END)
    / nullif(ln(1e0 * max(j.num_users)), 0) / coalesce(k, max(j.num_ret));
