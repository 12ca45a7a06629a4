-- How unpopular the relevant items of a list are, discounted by rank (expected popularity complement).
-- name: EPC, EPC@k
-- formula: Σ over relevant items among the first k: (1 − users who had the item / users of the history) / log2(rank +
--     1), / Σ over the first k: 1 / log2(rank + 1); NULL for a user with nothing relevant
-- relation: recommended_and_judged(rel)
-- k: 1 or more; cut-off rank, or NULL for the whole list
-- range: 0 to 1
-- source: Vargas and Castells 2011, doi:10.1145/2043932.2043955; elliot EPC
CREATE OR REPLACE MACRO epc(j, k BIGINT := NULL) AS
    CASE
        WHEN max(j.num_rel) > 0
            THEN coalesce(
                exact_sum(
                    CASE
                        WHEN within_k(j.rank, k) AND j.relevant = 1
                            THEN (1e0 - 1e0 * j.users / j.num_users) / rank_discount(j.rank, 'log', 2)
                    END
                ), 0e0
            ) / exact_sum(CASE WHEN within_k(j.rank, k) THEN 1e0 / rank_discount(j.rank, 'log', 2) END)
    END;
